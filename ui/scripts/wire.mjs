// Writes the types of the wire from the two documents that the server's own code writes.
// `node scripts/wire.mjs` writes them; `generate()` hands them out, so that a test holds them fresh.

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";
import openapi, { astToString } from "openapi-typescript";

const docs = new URL("../../docs/", import.meta.url);
const wire = new URL("../src/wire/", import.meta.url);

const read = async (name) => JSON.parse(await readFile(new URL(name, docs), "utf8"));
const head = (source) => `// Written from docs/${source} by \`npm run wire\`. Not to be changed by hand.\n\n`;

/** The object that a name such as `#/$defs/Usage` stands for. */
function lookUp(root, name) {
  return name.slice(2).split("/").reduce((place, step) => place[step], root);
}

/** An event with what it takes from elsewhere drawn into its own properties. */
function flatten(root, event) {
  const parts = [event.$ref ? lookUp(root, event.$ref) : {}, ...(event.oneOf ?? []), event];
  const properties = Object.assign({}, ...parts.map((part) => part.properties ?? {}));
  const inAll = (event.oneOf ?? []).map((part) => part.required ?? []);
  const shared = inAll.length ? inAll.reduce((all, some) => all.filter((name) => some.includes(name))) : [];
  for (const name of shared) if (event.oneOf) properties[name] = together(event.oneOf, name);
  const required = [...(event.required ?? []), ...shared];
  return { type: "object", description: event.description, properties, required };
}

/** What a property is that each of several variants fixes to a value of its own. */
function together(variants, name) {
  const [first] = variants;
  const values = variants.map((variant) => variant.properties[name].const);
  return values.includes(undefined) ? first.properties[name] : { enum: values };
}

function closed(schema) {
  if (Array.isArray(schema)) return schema.map(closed);
  if (schema === null || typeof schema !== "object") return schema;
  // Words beside a reference would make a copy of what it stands for.
  if (schema.$ref) return { $ref: schema.$ref };
  const own = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const isObject = own.type === "object" && own.properties && own.additionalProperties === undefined;
  return isObject ? { ...own, additionalProperties: false } : own;
}

const nameOf = (type) => type.split(/[._]/).map((word) => word[0].toUpperCase() + word.slice(1)).join("");

async function eventTypes(schema) {
  const events = schema.oneOf.map((event) => flatten(schema, event));
  const $defs = { ...schema.$defs };
  $defs.Envelope = { type: "object", description: schema.description, properties: schema.properties, required: schema.required };
  for (const event of events) $defs[nameOf(event.properties.type.const)] = event;
  const names = events.map((event) => nameOf(event.properties.type.const));
  $defs.WireEvent = { description: "What happened.", oneOf: names.map((name) => ({ $ref: `#/$defs/${name}` })) };
  for (const [name, one] of Object.entries($defs)) one.title = name;
  const allOf = [{ $ref: "#/$defs/Envelope" }, { $ref: "#/$defs/WireEvent" }];
  const named = { title: "KnownFrame", description: schema.description, allOf, definitions: $defs };
  const root = JSON.parse(JSON.stringify(named).replaceAll("#/$defs/", "#/definitions/"));
  const style = { bannerComment: "", unreachableDefinitions: true, format: false, unknownAny: true, ignoreMinAndMaxItems: true };
  const text = await compile(closed(root), "KnownFrame", style);
  const short = text.replace(/\n \*\n \* This interface was referenced by[^/]*\*\//g, "\n */").replace(/\/\*\*\n \* ([^\n]*)\n \*\//g, "/** $1 */");
  return head("events.schema.json") + short;
}

/** One word for what a value must be, or nothing where anything goes. */
function kindOf(root, schema) {
  if (schema.$ref) return kindOf(root, lookUp(root, schema.$ref));
  if (schema.const !== undefined || schema.enum || schema.oneOf) return "string";
  if (schema.anyOf) return kindOf(root, schema.anyOf.find((part) => part.type !== "null"));
  const type = [schema.type].flat().find((name) => name !== "null");
  return type?.replace("integer", "number");
}

function shapes(schema) {
  const rows = schema.oneOf.map((event) => {
    const { properties, required } = flatten(schema, event);
    const fields = Object.keys(properties).filter((name) => name !== "type").map((name) => [name, kindOf(schema, properties[name])]);
    const kinds = fields.filter(([, kind]) => kind).map(([name, kind]) => `${name}: "${kind}${required.includes(name) ? "" : "?"}"`);
    return `  "${properties.type.const}": { ${kinds.join(", ")} },\n`.replace("{  }", "{}");
  });
  const about = "/** What each event must carry, and of which kind. An event that does not is treated as unknown. */\n";
  const kind = 'export type Kind = "string" | "number" | "boolean" | "array" | "object";\n\n/** The kind of a field; with a question mark it may also be absent or null. */\nexport type Rule = Kind | `${Kind}?`;\n\n';
  const type = "export const SHAPES: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {\n";
  return `${head("events.schema.json")}${kind}${about}${type}${rows.join("")}};\n`;
}

async function apiTypes(document) {
  const nodes = await openapi({ ...document, paths: {} });
  const text = astToString(nodes);
  const start = text.indexOf("export interface components");
  const end = text.indexOf("export type $defs");
  const alias = "\n/** The bodies of requests and answers, by name. */\nexport type Schemas = components[\"schemas\"];\n";
  return head("openapi.json") + text.slice(start, end) + alias;
}

/** The files, by name. */
export async function generate() {
  const schema = await read("events.schema.json");
  const document = await read("openapi.json");
  return { "events.ts": await eventTypes(schema), "shapes.ts": shapes(schema), "bodies.ts": await apiTypes(document) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, text] of Object.entries(await generate())) await writeFile(new URL(name, wire), text);
}
