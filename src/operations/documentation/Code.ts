import { html, type Markup } from "../../platform/pages/Html.ts"

const quoted = String.raw`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'`
const ofShell = String.raw`"(?:\\.|[^"\\])*"|'[^']*'`
const number = String.raw`\b\d[\d_.]*\b`

const words = (...all: ReadonlyArray<string>) => String.raw`\b(?:${all.join("|")})\b`

const ofScripts = words(
  ..."as async await break case catch class const continue default do else export extends finally for from function if"
    .split(" "),
  ..."import in let new null of return static switch this throw true false try typeof undefined while yield".split(" ")
)
const ofPython = words(
  ..."and as class def elif else except False finally for from if import in is lambda None not or pass raise"
    .split(" "),
  ..."return self True try while with yield".split(" ")
)
const ofPhp = words(
  ..."as array bool catch class const do else exit extends false finally for foreach function if int new null"
    .split(" "),
  ..."private protected public readonly require return static string throw true try use void while yield".split(" ")
)
const ofBash = words(..."do done echo elif else export fi for if in kill set sleep then until while".split(" "))

/** The kinds of words in a language, each a group of the expression. */
const grammar = (comment: string, string: string, keyword: string) =>
  new RegExp(`(?<comment>${comment})|(?<string>${string})|(?<keyword>${keyword})|(?<number>${number})`, "gm")

const scripts = grammar(String.raw`//.*$`, `${quoted}|\`[^\`]*\``, ofScripts)
const lines = grammar(String.raw`(?<=^|\s)#.*$`, ofShell, ofBash)

const grammars: Readonly<Record<string, RegExp>> = {
  js: scripts,
  ts: scripts,
  json: new RegExp(
    String
      .raw`(?<key>"(?:\\.|[^"\\])*"(?=\s*:))|(?<string>"(?:\\.|[^"\\])*")|(?<keyword>\b(?:true|false|null)\b)|(?<number>-?\b\d[\d.]*\b)`,
    "g"
  ),
  php: grammar(String.raw`//.*$|/\*[^]*?\*/`, quoted, ofPhp),
  python: grammar(String.raw`(?<=^|\s)#.*$`, quoted, ofPython),
  sh: lines,
  ini: grammar(String.raw`(?<=^|\s)#.*$`, ofShell, String.raw`^\[\w+\]|^\w+(?==)`)
}

const kindOf = (groups: Readonly<Record<string, string | undefined>> = {}) =>
  Object.entries(groups).find(([, text]) => text !== undefined)?.[0] ?? "text"

/** The text with what is a string, a word of the language, a number and a comment in it marked. */
const coloured = (code: string, language: string): ReadonlyArray<Markup | string> => {
  const expression = grammars[language]
  if (expression === undefined) return [code]
  const parts: Array<Markup | string> = []
  let end = 0
  for (const found of code.matchAll(expression)) {
    parts.push(code.slice(end, found.index), html`<span class="${kindOf(found.groups)}">${found[0]}</span>`)
    end = found.index + found[0].length
  }
  return [...parts, code.slice(end)]
}

const names: Readonly<Record<string, string>> = {
  ini: "Settings",
  js: "JavaScript",
  json: "JSON",
  php: "PHP",
  python: "Python",
  sh: "Shell",
  ts: "TypeScript"
}

/** A block of code. The script of the pages puts a button beside it that copies the text; the keyboard can scroll it. */
export const codeBlock = (code: string, language = "", label = names[language] ?? "Code"): Markup =>
  html`<div class="code"><pre tabindex="0" role="region" aria-label="${label}"><code data-language="${language}">${
    coloured(code.replace(/\n$/, ""), language)
  }</code></pre></div>`
