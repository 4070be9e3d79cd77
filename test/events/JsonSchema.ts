import formats from "ajv-formats"
import { Ajv2020 } from "ajv/dist/2020.js"

const ajv = new Ajv2020({ allErrors: true, strict: true })
formats.default(ajv)

/** A validator that shares no code with the schemas under test. */
export const validatorOf = (schema: object) => ajv.compile(schema)
