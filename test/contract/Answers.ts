import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { HttpMethod } from "effect/http"
import { send } from "../harness/App.ts"
import { nullOr, record, type Shape, string } from "./Shape.ts"

/** A request, and its body if it has one. */
export type Call = readonly [method: HttpMethod.HttpMethod, path: string, body?: unknown]

interface Answer {
  readonly json: unknown
  readonly text: string
}

/** The body is the wrapper `data` alone, and its value has the shape. */
export const assertData = ({ json, text }: Answer, shape: Shape) => {
  assert.deepStrictEqual(record({ data: shape })(json, "body"), [], text)
}

/** The body is a page, and its `data` has the shape. */
export const assertPage = ({ json, text }: Answer, shape: Shape) => {
  assert.deepStrictEqual(record({ data: shape, next_cursor: nullOr(string) })(json, "body"), [], text)
}

const answerTo = (token: string, [method, path, body]: Call) =>
  send(method, path, { token, ...(body === undefined ? {} : { body }) })

/** `assertData` for the answer to each call. */
export const assertEach = Effect.fnUntraced(function*(token: string, shape: Shape, calls: ReadonlyArray<Call>) {
  for (const call of calls) assertData(yield* answerTo(token, call), shape)
})

/** `assertPage` for the answer to each call. */
export const assertPages = Effect.fnUntraced(function*(token: string, shape: Shape, calls: ReadonlyArray<Call>) {
  for (const call of calls) assertPage(yield* answerTo(token, call), shape)
})
