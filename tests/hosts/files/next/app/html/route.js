import { Surface } from "byname";
import { basicCatalog } from "byname/dom";
import { renderToString } from "byname/dom/server";
import { greet } from "../../greet.js";

export const dynamic = "force-dynamic";

export function GET() {
  const html = renderToString(greet(new Surface({ catalog: basicCatalog })));
  return new Response(html, { headers: { "content-type": "text/html" } });
}
