import { init } from "byname";

await init();
document.querySelector("#page")?.append("ready");
