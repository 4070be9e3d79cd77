import { Option } from "effect"
import { parseJson } from "./Json.ts"
import { isLight } from "./JsonMarks.ts"

// A character of a string that stands for itself; as text, since the linter takes control characters for a mistake.
const plain = String.raw`[^"\\\u0000-\u001f]*`

const mark = String.raw`(?<mark>[{}[\],:])`
const string = String.raw`(?<string>"${plain}(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})${plain})*")`
const word = String.raw`(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])`

/** One token, and the white space before it. */
const token = new RegExp(String.raw`[\t\n\r ]*(?:${mark}|${string}|${word})`, "y")

const space = /[\t\n\r ]*/y

/** The tokens that may come next, such as a value, or a key or the end of the object. */
type Next = "value" | "first item" | "key" | "first key" | "colon" | "more" | "nothing"

const opens: Record<string, Next> = { "{": "first key", "[": "first item" }
const closes: Record<string, string> = { "}": "{", "]": "[" }

const isValueNext = (next: Next) => next === "value" || next === "first item"

/** Where the text stops being JSON: the start of what does not belong there, or the end. */
const breakOf = (text: string): number => {
  const open: Array<string> = []
  let next: Next = "value"
  let at = 0
  const afterValue = (): Next => open.length === 0 ? "nothing" : "more"
  for (;;) {
    token.lastIndex = at
    const found = token.exec(text)
    space.lastIndex = at
    space.exec(text)
    const start = space.lastIndex
    if (found === null) return start
    at = token.lastIndex
    const { mark, string } = found.groups ?? {}
    if (mark === undefined) {
      if (string !== undefined && (next === "key" || next === "first key")) next = "colon"
      else if (isValueNext(next)) next = afterValue()
      else return start
    } else if (opens[mark] !== undefined && isValueNext(next)) {
      open.push(mark)
      next = opens[mark]
    } else if (mark === ":" && next === "colon") next = "value"
    else if (mark === "," && next === "more") next = open.at(-1) === "{" ? "key" : "value"
    else {
      const mayClose = next === "more" || next === (mark === "}" ? "first key" : "first item")
      if (closes[mark] === undefined || closes[mark] !== open.at(-1) || !mayClose) return start
      open.pop()
      next = afterValue()
    }
  }
}

/** In characters. So far lines are counted; who sends more has no lines to look at. */
const shortText = 65_536

/** Says where a text that is not JSON stops being JSON, without repeating any of it. Light texts (`JsonMarks`) only. */
export const whereBroken = (text: string): string => {
  const at = breakOf(text)
  if (at === text.length) return "it ends too early"
  if (at > shortText) return `see character ${at + 1}`
  const lines = text.slice(0, at).split("\n")
  return `see line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`
}

/** Why a text of any size is not JSON, and where, without repeating any of it; undefined if it is JSON. */
export const whyNotJson = (text: string): string | undefined => {
  if (Option.isSome(parseJson(text))) return undefined
  if (text.trim() === "") return "it is empty"
  return isLight(text) ? `it is not JSON: ${whereBroken(text)}` : "it is not JSON"
}
