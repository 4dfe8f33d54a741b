/** Build of the driver for browsers, which connects by WebSocket. */
declare module "neo4j-driver/lib/browser/neo4j-web.esm.min.js" {
  export { default } from "neo4j-driver";
}
