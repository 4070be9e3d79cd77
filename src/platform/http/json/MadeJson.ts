import { Brand, Schema } from "effect"
import { HttpServerResponse } from "effect/http"

/** JSON that is answered as it is: no schema has to encode it. */
export type MadeJson = string & Brand.Brand<"MadeJson">
const made = Brand.nominal<MadeJson>()

/** A column of type `text` with JSON that PostgreSQL has made of values in the form that they are answered in. */
export const MadeJson = Schema.String.pipe(Schema.brand("MadeJson"))

/** A value that is answered as it is. */
export const jsonOf = (value: Schema.Json): MadeJson => made(JSON.stringify(value))

/** An object with these members, in their order. */
export const objectOf = (members: Readonly<Record<string, MadeJson>>): MadeJson =>
  made(`{${Object.entries(members).map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`)

/** A 200 with this body. Tests hold it against the schema of the endpoint, because nothing else does. */
export const madeAnswer = (json: MadeJson): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(json, { contentType: "application/json" })

/** The same with `{ "data": … }`. */
export const dataAnswer = (json: MadeJson): HttpServerResponse.HttpServerResponse =>
  madeAnswer(objectOf({ data: json }))

/**
 * Answers values of a schema that encodes them unchanged: strings, numbers, and lists and objects of them. The compiler
 * knows that they have its type, so they are not checked again.
 */
export const plainAnswer =
  <A extends Schema.Json>(_schema: Schema.Codec<A, A>) => (value: A): HttpServerResponse.HttpServerResponse =>
    madeAnswer(jsonOf(value))
