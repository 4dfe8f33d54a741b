// Vectors of the data model: values at paths, and notifications of observers.
import { isDeepStrictEqual } from "node:util";
import { Surface } from "byname";
import { a2uiTarget } from "byname/a2ui";
import { basicCatalog } from "byname/dom";
import { modelOf } from "./receivers.mjs";

export function runDataModel({ initial, steps, watch = [] }) {
  const surface = new Surface({ catalog: basicCatalog });
  const target = a2uiTarget(surface);
  const version = "v0.9";
  target.receive({ version, createSurface: { surfaceId: "s", catalogId: "basic" } });
  const send = (body) => target.receive({ version, updateDataModel: { surfaceId: "s", ...body } });
  if (initial !== undefined) send({ path: "/", value: initial });
  const notified = new Set();
  for (const path of watch) surface.store.subscribe(bindingOf(path), () => notified.add(path));
  for (const [index, step] of steps.entries()) {
    const where = `step ${index + 1} (${step.op} ${step.path ?? ""})`;
    notified.clear();
    if (step.op === "set" || step.op === "delete") {
      const { ok } = send(
        step.op === "set" ? { path: step.path, value: step.value } : { path: step.path },
      );
      const isError = (step.expect_error ?? step.expectError) !== undefined;
      if (ok === isError) return `${where} is ${ok ? "accepted" : "rejected"}`;
      const paths = watch.filter((path) => notified.has(path));
      if (!isDeepStrictEqual(paths, step.expect_notified ?? paths))
        return `${where} notifies ${paths.join(", ") || "no observer"}`;
      for (const [path, expected] of Object.entries(step.expect_values ?? {})) {
        const value = valueAt(modelOf(surface), path);
        if (!isDeepStrictEqual(value, expected)) return `${path} is ${JSON.stringify(value)}`;
      }
    } else if (step.op === "get") {
      const value = valueAt(modelOf(surface), step.path);
      const isWrong = step.expect_absent
        ? value !== undefined
        : "expect" in step && !isDeepStrictEqual(value, step.expect);
      if (isWrong) return `${where} is ${JSON.stringify(value)}`;
      const type = Array.isArray(value) ? "list" : typeof value;
      if (step.expect_type !== undefined && type !== step.expect_type)
        return `${where} is a ${type}`;
    } else return `${where} is not run`;
  }
  return undefined;
}

/** Returns the binding of an absolute path that names an object or a value in one. */
function bindingOf(path) {
  const segments = path.split("/").filter(Boolean);
  const key = segments.pop();
  if (key === undefined) return { node: "root" };
  return { node: segments.length === 0 ? "root" : `/${segments.join("/")}`, key };
}

export function valueAt(model, path) {
  const segments = path.split("/").filter(Boolean);
  const decode = (segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~");
  return segments.map(decode).reduce((value, key) => {
    const isContainer = typeof value === "object" && value !== null;
    return isContainer && Object.hasOwn(value, key) ? value[key] : undefined;
  }, model);
}
