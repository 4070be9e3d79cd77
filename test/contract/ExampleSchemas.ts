import addFormats from "ajv-formats"
import { Ajv2020 } from "ajv/dist/2020.js"
import { document, isObject, type Listed } from "../harness/Document.ts"

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
addFormats.default(ajv)
ajv.addSchema({ $id: "turma", components: document.components })

const referring = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema).replaceAll("\"#/components/", "\"turma#/components/"))

/** The faults of a value by this schema of the document. */
export const faultsOf = (schema: unknown, value: unknown): ReadonlyArray<string> => {
  const referred = referring(schema)
  if (!isObject(referred)) return ["no schema"]
  ajv.validate(referred, value)
  return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** The faults of an answer by the operation's schema for this status. Empty if the answer is not JSON. */
export const answerFaults = ({ responses }: Listed, status: number, json: unknown): ReadonlyArray<string> => {
  const described = responses[String(status)]
  if (described === undefined) return [`${status} is not described`]
  const schema = described.content?.["application/json"]?.schema
  return schema === undefined ? [] : faultsOf(schema, json)
}
