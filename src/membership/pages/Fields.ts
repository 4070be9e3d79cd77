import { Result, Schema, SchemaIssue } from "effect"
import type { Form } from "../../platform/pages/Form.ts"
import { html, type Markup } from "../../platform/pages/Html.ts"
import type { AddressRequestKind } from "../accounts/CredentialRequest.ts"
import type { Place } from "./Place.ts"
import type { Words } from "./words/English.ts"

/** One line that a person fills in. */
export interface Field {
  readonly name: string
  readonly label: string
  readonly type: "email" | "password" | "text"
  /** The value that a browser or a password manager may fill in. */
  readonly autocomplete: string
  readonly hint?: string
  /** True unless it says otherwise. */
  readonly required?: boolean
  readonly minLength?: number
}

/** The faults by the name of the field. Under the empty name is the fault of the form as a whole. */
export type Wrong = Readonly<Record<string, string>>

/** A form of our pages. */
export interface FormParts {
  readonly words: Words
  /** Without a query: the secret of a link is in `hidden` from here on, and out of the address. */
  readonly action: string
  readonly submit: string
  readonly fields?: ReadonlyArray<Field>
  readonly hidden?: Readonly<Record<string, string>>
  /** More to choose, between the fields and the button. */
  readonly more?: Markup | undefined
  readonly wrong?: Wrong
  /** The entries that stay filled in. Never a password. */
  readonly entered?: Form
}

const inputOf = (field: Field, value: string, wrong: string | undefined, isFirst: boolean) => {
  const { autocomplete, hint, minLength, name, required = true, type } = field
  const described = [hint === undefined ? "" : `${name}-hint`, wrong === undefined ? "" : `${name}-wrong`]
    .filter((id) => id !== "")
  return html`<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${
    type === "password" ? html`${minLength !== undefined && html` minlength="${minLength}"`}` : html` value="${value}"`
  }${type !== "text" && html` autocapitalize="none" spellcheck="false"`}${required && html` required`}${
    described.length > 0 && html` aria-describedby="${described.join(" ")}"`
  }${wrong !== undefined && html` aria-invalid="true"`}${isFirst && html` autofocus`}>`
}

const fieldOf = (words: Words, field: Field, value: string, wrong: string | undefined, isFirst: boolean) =>
  html`<div class="field">
<label for="${field.name}">${field.label}${
    field.required === false && html` <span class="soft small">(${words.fields.optional})</span>`
  }</label>
${field.hint !== undefined && html`<p class="hint" id="${field.name}-hint">${field.hint}</p>`}
${inputOf(field, value, wrong, isFirst)}
${wrong !== undefined && html`<p class="wrong" id="${field.name}-wrong">${wrong}</p>`}
</div>`

const summaryOf = (words: Words, wrong: Wrong) => {
  const entries = Object.entries(wrong)
  return entries.length === 0 ? undefined : html`<div class="notice bad" role="alert">
<strong>${words.wrong.summary}</strong>
${entries.map(([name, text]) => name === "" ? html`<p>${text}</p>` : html`<p><a href="${`#${name}`}">${text}</a></p>`)}
</div>`
}

/** A form, with its faults above and beside the fields. The first field to correct has the focus. */
export const formOf = (
  { action, entered = () => "", fields = [], hidden = {}, more, submit, words, wrong = {} }: FormParts
) => {
  // If the form as a whole was refused, the cause is most often the password, otherwise the last field.
  const first = fields.find(({ name }) => wrong[name] !== undefined) ??
    (wrong[""] === undefined ? undefined : fields.find(({ type }) => type === "password") ?? fields.at(-1))
  return html`<form class="stack" method="post" action="${action}">
${summaryOf(words, wrong)}
${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${fields.map((field) => fieldOf(words, field, entered(field.name), wrong[field.name], field === first))}
${more}
<div class="actions"><button type="submit">${submit}</button></div>
</form>`
}

const describe = SchemaIssue.makeFormatterStandardSchemaV1()

/** Reads the entries, or returns the faults by their fields. */
export const reading = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  return (entered: Readonly<Record<string, string>>): Result.Result<A, ReadonlyArray<string>> =>
    Result.mapError(decode(entered), ({ issue }) => [
      ...new Set(describe(issue).issues.flatMap(({ path: [key] = [] }) => key === undefined ? [] : [String(key)]))
    ])
}

/** The fields that people know from everywhere. */
export const fieldsOf = ({ fields }: Words) => ({
  email: { name: "email", label: fields.email, type: "email", autocomplete: "username" },
  name: { name: "name", label: fields.name, type: "text", autocomplete: "name" },
  password: { name: "password", label: fields.password, type: "password", autocomplete: "current-password" },
  newPassword: {
    name: "password",
    label: fields.newPassword,
    type: "password",
    autocomplete: "new-password",
    hint: fields.passwordHint,
    minLength: 8
  },
  code: { name: "code", label: fields.code, type: "text", autocomplete: "one-time-code" },
  registrationCode: {
    name: "registration_code",
    label: fields.registrationCode,
    type: "text",
    autocomplete: "off",
    hint: fields.registrationCodeHint,
    required: false
  },
  clubName: { name: "club_name", label: fields.clubName, type: "text", autocomplete: "organization" }
} as const satisfies Record<string, Field>)

/** The form that asks for a mail. Every caller gets the same answer. */
export const askForm = ({ to, words }: Place, kind: AddressRequestKind, more: Partial<FormParts> = {}) =>
  formOf({ words, action: to(kind), submit: words[kind].submit, fields: [fieldsOf(words).email], ...more })
