// The page of docs/guide.md with `byname/ham`: messages of the page, or of an agent.

import { basicCatalog, mount } from "byname/dom";
import { init, Surface } from "byname/ham";
import { receiveAll } from "byname/messages";
import { bynameText } from "./agent.mjs";
import { observeTitle } from "./element.mjs";

observeTitle();
await init();
const surface = new Surface({ catalog: basicCatalog });
mount(surface, document.querySelector("#app"));
await receiveAll(surface, window.answer ?? bynameText);
