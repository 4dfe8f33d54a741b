import { SurfaceView } from "byname/react";
import { View } from "./view.js";

/** A server component may name what is drawn in the page. */
export default function Page() {
  return (
    <>
      <View />
      <p id="named">{typeof SurfaceView}</p>
    </>
  );
}
