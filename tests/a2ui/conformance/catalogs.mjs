// Catalogs of the vectors: JSON Schema documents, as catalogs of byname.
import { readFileSync } from "node:fs";
import { defineCatalog } from "byname/catalog";
import { basicCatalog } from "byname/dom";

/** Folder with the data of A2UI. */
export const folder = new URL("../../../../shared/data/a2ui/", import.meta.url);

/** Ids of the basic catalogs that the vectors name by the path of their document. */
const basicIds = {
  "catalogs/basic/v1/catalog.json":
    "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json",
  "specification/v1_0/catalogs/basic/catalog.json":
    "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json",
  "specification/v0_9/catalogs/basic/catalog.json":
    "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json",
  "specification/v0_8/json/standard_catalog_definition.json":
    "https://a2ui.org/specification/v0_8/standard_catalog_definition.json",
};

/** Types of references to the common types of A2UI. */
const commonTypes = {
  DynamicString: "string",
  DynamicNumber: "number",
  DynamicBoolean: "boolean",
  DynamicStringList: { type: "array", items: "string" },
  DynamicValue: "any",
  ComponentId: "component",
  Child: "component",
  ChildList: "children",
  Action: "action",
};

/** Returns the type of a property with a JSON Schema. */
function typeOf(schema, required) {
  const reference = commonTypes[schema.$ref?.split("/").at(-1)];
  const type = reference ?? (schema.title === "ComponentId" ? "component" : schema.type);
  const isIdList = schema.type === "array" && schema.items?.title === "ComponentId";
  const definition =
    schema.enum !== undefined
      ? { enum: schema.enum }
      : isIdList
        ? { type: "children" }
        : typeof type === "object"
          ? type
          : { type: type ?? "any" };
  return { ...definition, required };
}

function typesOf({ properties = {}, required = [] } = {}, omitted = []) {
  const entries = Object.entries(properties).filter(([name]) => !omitted.includes(name));
  return Object.fromEntries(
    entries.map(([name, schema]) => [name, typeOf(schema, required.includes(name))]),
  );
}

/** Returns the catalog of a JSON Schema document. `child` and `children` name components. */
export function catalogOf({ components = {}, functions = {} }) {
  const component = ([name, schema]) => {
    const props = typesOf(schema, ["component", "id"]);
    const { allowedParents, allowedChildren } = schema;
    const children = schema.properties?.children ?? (allowedChildren ? {} : undefined);
    return [
      name,
      {
        props: {
          ...props,
          ...(children && {
            children: { type: "children", required: props.children?.required === true },
          }),
          ...(schema.properties?.child && { child: { type: "component" } }),
        },
        ...(allowedParents && { allowedParents }),
        ...(allowedChildren && { allowedChildren }),
      },
    ];
  };
  const call = ([name, schema]) => [
    name,
    {
      args: typesOf(schema.properties?.args ?? schema.parameters),
      returns: schema.returnType === "validationResult" ? "any" : (schema.returnType ?? "any"),
      ...(schema.allowedCallers && { allowedCallers: schema.allowedCallers }),
      ...(schema.requiresUserActivation && { requiresUserActivation: true }),
    },
  ];
  return defineCatalog({
    components: Object.fromEntries(Object.entries({ None: {}, ...components }).map(component)),
    functions: Object.fromEntries(Object.entries(functions).map(call)),
    examples: [],
  });
}

/** Returns the catalogs of a vector by id. The basic one is used if it names none. */
export function catalogsOf({ catalogPaths = [], catalogs = [], catalog }) {
  const found = {};
  for (const path of catalogPaths) {
    const id = basicIds[path];
    if (id !== undefined) found[id] = basicCatalog;
    else {
      const source = JSON.parse(readFileSync(new URL(path, folder)));
      found[source.catalogId] = catalogOf(source);
    }
  }
  const inline = catalog?.catalogSchema ?? catalog;
  for (const one of inline?.components ? [...catalogs, inline] : catalogs)
    found[one.catalogId] = catalogOf(one);
  return Object.keys(found).length === 0 ? { basic: basicCatalog } : found;
}

/** Returns one catalog with the components and functions of several. */
export function mergeCatalogs(catalogs) {
  const [first = basicCatalog, ...others] = Object.values(catalogs);
  return others.reduce(
    (merged, { components, functions }) => merged.extend({ components, functions }),
    first,
  );
}
