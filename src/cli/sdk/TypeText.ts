import { componentName, type JsonSchema } from "../../operations/documentation/ApiDocument.ts"

/** A comment for editors to show. */
export const commentText = (lines: ReadonlyArray<string>, indent: string): string => {
  const [first, ...more] = lines.map((line) => line.replaceAll("*/", "*\\/"))
  if (first === undefined) return ""
  if (more.length === 0) return `${indent}/** ${first} */\n`
  return `${indent}/**\n${[first, ...more].map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`
}

/** The comment of a field or a schema, with the format of its text. */
const linesOf = ({ contentSchema, description, format }: JsonSchema): ReadonlyArray<string> => {
  if (contentSchema !== undefined) return linesOf(contentSchema)
  const described = description?.split("\n") ?? []
  return format === undefined ? described : [...described, ...described.length === 0 ? [] : [""], `Format: ${format}`]
}

const nameText = (name: string) => /^(?:[A-Za-z_$][\w$]*|\d+)$/.test(name) ? name : JSON.stringify(name)

/** A field of a type, with its comment. */
export const fieldText = (name: string, schema: JsonSchema, isRequired: boolean, indent: string): string =>
  `${commentText(linesOf(schema), indent)}${indent}${nameText(name)}${isRequired ? "" : "?"}: ${
    typeText(schema, indent)
  }\n`

const literalsOf = (schema: JsonSchema) => schema.const === undefined ? schema.enum : [schema.const]

const isUnion = (schema: JsonSchema) => (schema.anyOf ?? literalsOf(schema) ?? []).length > 1

/** The type as a part of another. */
const partText = (schema: JsonSchema, indent: string) =>
  isUnion(schema) ? `(${typeText(schema, indent)})` : typeText(schema, indent)

const objectText = ({ additionalProperties, properties, required = [] }: JsonSchema, indent: string) => {
  const inner = `${indent}  `
  const others = typeof additionalProperties === "object"
    ? `${inner}[key: string]: ${typeText(additionalProperties, inner)}\n`
    : ""
  const fields = Object.entries(properties ?? {}).map(([name, schema]) =>
    fieldText(name, schema, required.includes(name), inner)
  )
  const text = `${fields.join("")}${others}`
  return text === "" ? "Record<string, never>" : `{\n${text}${indent}}`
}

const arrayText = ({ items, prefixItems }: JsonSchema, indent: string) => {
  const others = `${partText(items ?? {}, indent)}[]`
  if (prefixItems === undefined) return others
  const first = prefixItems.map((item) => typeText(item, indent))
  return `[${[...first, ...items === undefined ? [] : [`...${others}`]].join(", ")}]`
}

/** Members of a schema that tell nothing about its type. */
const untyped = new Set(["description", "examples", "title"])

/**
 * The type of what a schema describes, in TypeScript. Schemas with a name are `Schemas["Name"]`. A text that holds JSON
 * has the type of that JSON.
 */
export const typeText = (schema: JsonSchema, indent: string): string => {
  const name = componentName(schema)
  if (name !== undefined) return `Schemas[${JSON.stringify(name)}]`
  if (schema.contentSchema !== undefined) return typeText(schema.contentSchema, indent)
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => partText(one, indent)).join(" | ")
  const literals = literalsOf(schema)
  if (literals !== undefined) return literals.map((literal) => JSON.stringify(literal)).join(" | ")
  switch (schema.type) {
    case "object":
      return objectText(schema, indent)
    case "array":
      return arrayText(schema, indent)
    case "integer":
    case "number":
      return "number"
    case "string":
    case "boolean":
    case "null":
      return schema.type
    default: {
      const unknown = Object.keys(schema).filter((key) => !untyped.has(key))
      if (unknown.length > 0) throw new Error(`There is no type for a schema with ${unknown.join(", ")}`)
      return "unknown"
    }
  }
}
