import { html, type Markup } from "../../platform/pages/Html.ts"
import type { ApiDocument, JsonSchema } from "./ApiDocument.ts"
import { renderDescription } from "./Markdown.ts"
import { type Inside, type Kind, type Rule, type Shape, shapeOf } from "./Shape.ts"

// The shape of a value on a page.

const code = (value: string) => html`<code>${value}</code>`

const codes = (values: ReadonlyArray<string>) =>
  values.map((value, index) => index === 0 ? html` ${code(value)}` : html`, ${code(value)}`)

const ruleItem = ({ values, words }: Rule) => html`<span class="rule">${words}${codes(values)}</span>`

/** The description of a value: its type, its rules, and its text. */
const describe = ({ description, rules, type }: Shape, note?: Markup): Markup =>
  html`<span class="type">${type}</span>${note}${rules.map(ruleItem)}${
    description === undefined ? undefined : renderDescription(description)
  }`

const kindTitle = (title: Kind["title"]): Markup =>
  typeof title === "string" ? html`${title}` : html`With ${code(title.field)} ${code(title.value)}`

const item = (name: string, shape: Shape, note?: Markup): Markup => {
  const nested = shape.inside === undefined
    ? undefined
    : html`<details class="inner"><summary>Inside <code>${name}</code></summary>${insideList(shape.inside)}</details>`
  return html`<li><code class="name">${name}</code> ${describe(shape, note)}${nested}</li>`
}

const must = html`<span class="must">required</span>`

const insideList = (inside: Inside): Markup => {
  switch (inside.is) {
    case "again":
      return html`<p class="soft small">A ${inside.name}, as above.</p>`
    case "kinds":
      return html`${
        inside.kinds.map((kind) =>
          html`<details><summary>${kindTitle(kind.title)}</summary>${insideList(kind.inside)}</details>`
        )
      }`
    case "fields":
      return html`<ul class="fields">${
        inside.fields.map((field) => item(field.name, field, field.required ? must : undefined))
      }</ul>`
  }
}

/** A named value with its description, and the values inside of it. */
export const fieldItem = (document: ApiDocument, name: string, schema: JsonSchema, note?: Markup): Markup =>
  item(name, shapeOf(document, schema), note)

/** The fields of a body. */
export const bodyFields = (document: ApiDocument, schema: JsonSchema): Markup => {
  const shape = shapeOf(document, schema)
  return shape.inside === undefined ? html`<p>${describe(shape)}</p>` : insideList(shape.inside)
}
