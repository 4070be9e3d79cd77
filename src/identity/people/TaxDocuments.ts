import { Option, type Schema } from "effect"
import { readLightText } from "../../platform/http/json/Json.ts"

// National tax documents in what others wrote: CPF of 11 digits, CNPJ of 14 signs, by the name of a field and by their shape.

/** Stands where a document stood. */
export const maskedDocument = "***"

/** Between the groups of a document, as people and platforms write it. */
const gap = String.raw`[\s.\-‐-―−/_·]{0,2}`

const grouped = (sign: string, sizes: ReadonlyArray<number>) =>
  [...sizes.map((size) => `${sign}{${size}}`), String.raw`\p{Nd}{2}`].join(gap)

/** Signs of the shortest document, a CPF. */
const shortest = 11

const cpfSizes = [3, 3, 3]
const cnpjSizes = [2, 3, 3, 4]

const digits = String.raw`\p{Nd}`
const ofDigits = new RegExp(
  String.raw`(?<!${digits})(?:${grouped(digits, cnpjSizes)}|${grouped(digits, cpfSizes)})(?!${digits})`,
  "gu"
)

/** A CNPJ may have letters since July 2026 (Receita Federal, IN RFB 2.229/2024). */
const withLetters = new RegExp(
  String.raw`(?<![\p{L}\p{N}])${grouped("[0-9A-Z]", cnpjSizes)}(?![\p{L}\p{N}])`,
  "gu"
)

const zero = "0".charCodeAt(0)

/** The check digit of what comes before it: weights go up from 2, from the right, and begin again after `last`. */
const checkDigit = (signs: string, last: number) => {
  const values = [...signs].toReversed().map((sign) => sign.charCodeAt(0) - zero)
  const rest = values.reduce((sum, value, index) => sum + value * (2 + index % (last - 1)), 0) % 11
  return rest < 2 ? 0 : 11 - rest
}

const hasCheckDigits = (signs: string) => {
  const last = signs.length === 11 ? 11 : 9
  return [2, 1].every((left) => String(checkDigit(signs.slice(0, -left), last)) === signs.at(-left))
}

const signsOf = (found: string) => found.normalize("NFKC").replaceAll(/[^0-9A-Z]/g, "")

/** A platform's id has ASCII digits. Digits that NFKC does not turn into ASCII count as a document. */
const isValid = (found: string) => {
  const signs = signsOf(found)
  return signs.length !== 11 && signs.length !== 14 || hasCheckDigits(signs)
}

const isGrouped = (found: string) => !/^[\p{L}\p{N}]+$/u.test(found)

const isLetter = (sign: string | undefined) => sign !== undefined && /\p{L}/u.test(sign)

/** The text with every document masked that is grouped as one, or has its check digits. */
export const withoutDocuments = (text: string): string =>
  text.replaceAll(ofDigits, (found) => isGrouped(found) || isValid(found) ? maskedDocument : found)
    .replaceAll(withLetters, (found) => isValid(found) ? maskedDocument : found)

/**
 * The same for a body of a platform, in which any text with as many digits counts as a document. One exception: digits right
 * beside a letter are the number of a purchase, unless their check digits say otherwise.
 */
const withoutShapes = (text: string): string =>
  text.length < shortest ? text : withoutDocuments(text).replaceAll(
    ofDigits,
    (found, index: number) =>
      isLetter(text.charAt(index - 1)) || isLetter(text.charAt(index + found.length)) ? found : maskedDocument
  )

/** Names of fields that hold a document, or what it is: `cpf`, `buyer_document`, `taxIds`. */
const named =
  /cpf|cnpj|docum|tax_?(?:id|number|code)|(?:^|_)(?:doc|rg|nif|dni|cuit|ssn|tin|vat|passaporte|passport)(?:_|$)/

const isNamed = (name: string) => named.test(name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, "_").toLowerCase())

const masked = (json: Schema.Json, isDocument: boolean): Schema.Json => {
  if (Array.isArray(json)) return json.map((one: Schema.Json) => masked(one, isDocument))
  if (typeof json === "object" && json !== null) {
    return Object.fromEntries(Object.entries(json).map((
      [name, one]
    ) => [withoutShapes(name), masked(one, isDocument || isNamed(name))]))
  }
  if (typeof json === "string") return isDocument && json !== "" ? maskedDocument : withoutShapes(json)
  if (typeof json !== "number") return json
  return isDocument || withoutShapes(String(json)) === maskedDocument ? maskedDocument : json
}

/** The body of a platform, at most 100 levels deep, with every document in it masked. */
export const withoutDocumentsIn = (json: Schema.Json): Schema.Json => masked(json, false)

const form = /^\??[^\s=&]+=\S*$/

/** The fields of a form or a query, each judged as it is read. */
const withoutDocumentsInForm = (text: string): string => {
  // One entry for each field that is not empty. A `?` in front of the first one belongs to no field.
  const read = new URLSearchParams(text).entries()
  return text.split("&").map((field, index) => {
    const isNothing = field === "" || (index === 0 && field === "?")
    const [name, value] = isNothing ? [] : read.next().value ?? []
    if (name === undefined || value === undefined || value === "") return field
    const isShown = !isNamed(name.replace(/^\?/, "")) && withoutShapes(value) === value
    return isShown ? field : `${field.slice(0, field.indexOf("="))}=${maskedDocument}`
  }).join("&")
}

const withoutDocumentsInText = (text: string) => withoutShapes(form.test(text) ? withoutDocumentsInForm(text) : text)

/**
 * A body from another system, JSON, a form or neither, with every document in it masked. A body without documents stays
 * as it was written.
 */
export const withoutDocumentsInBody = (text: string): string =>
  Option.match(readLightText(text), {
    onNone: () => withoutDocumentsInText(text),
    onSome: (json) => {
      const shown = JSON.stringify(withoutDocumentsIn(json))
      // Of two fields with one name the first is not in what was read.
      return shown === JSON.stringify(json) && withoutShapes(text) === text ? text : shown
    }
  })
