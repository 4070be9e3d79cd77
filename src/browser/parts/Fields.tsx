import { type ComponentChildren, createElement, type LooseInputHTMLAttributes } from "preact"
import { useId } from "preact/hooks"
import type { Refusal } from "../client/Refusals.ts"
import { FieldConflict, switchText } from "./ConflictNotice.tsx"
import type { Form } from "./Form.ts"
import { RefusalText } from "./RefusalText.tsx"

interface FieldProps {
  readonly form: Form
  /** The field of the API's body. */
  readonly name: string
  readonly label: string
  readonly hint?: ComponentChildren
}

const describedBy = (id: string, hint: unknown, wrong: Refusal | undefined) =>
  [hint === undefined ? "" : `${id}-hint`, wrong === undefined ? "" : `${id}-wrong`].join(" ").trim() || undefined

const Frame = (
  { children, form, hint, id, label, name, textOf, wrong }: FieldProps & {
    readonly id: string
    readonly wrong: Refusal | undefined
    readonly children: ComponentChildren
    readonly textOf?: (value: string) => string
  }
) => (
  <div class="field">
    <label for={id}>{label}</label>
    {children}
    {hint !== undefined && <p class="hint" id={`${id}-hint`}>{hint}</p>}
    {wrong !== undefined && (
      <p class="wrong" id={`${id}-wrong`}>
        <RefusalText of={wrong} />
      </p>
    )}
    <FieldConflict form={form} name={name} label={label} {...(textOf === undefined ? {} : { textOf })} />
  </div>
)

// JSX wants a literal type for an input.
const inputOf = (attributes: LooseInputHTMLAttributes<HTMLInputElement>) =>
  createElement<LooseInputHTMLAttributes<HTMLInputElement>, HTMLInputElement>("input", attributes)

interface TextFieldProps extends FieldProps {
  readonly type?: "text" | "email" | "password" | "url" | "number" | "search" | "date" | "datetime-local"
  readonly required?: boolean
  readonly maxLength?: number
  readonly minLength?: number
  readonly min?: number | string
  readonly max?: number | string
  readonly autocomplete?: string
  readonly placeholder?: string
  readonly autofocus?: boolean
}

/** A line of text, with the API's complaint about it. */
export const TextField = ({ autofocus, form, hint, label, name, type = "text", ...input }: TextFieldProps) => {
  const id = useId()
  const wrong = form.wrong(name)
  return (
    <Frame form={form} name={name} id={id} label={label} hint={hint} wrong={wrong}>
      {inputOf({
        ...input,
        id,
        name,
        type,
        autoFocus: autofocus ?? false,
        value: form.value(name),
        "aria-invalid": wrong !== undefined,
        "aria-describedby": describedBy(id, hint, wrong),
        onInput: (event) => form.set(name, event.currentTarget.value)
      })}
    </Frame>
  )
}

/** Several lines of text. */
export const TextArea = (
  { form, hint, label, maxLength, name, required, rows = 4 }: FieldProps & {
    readonly rows?: number
    readonly maxLength?: number
    readonly required?: boolean
  }
) => {
  const id = useId()
  const wrong = form.wrong(name)
  return (
    <Frame form={form} name={name} id={id} label={label} hint={hint} wrong={wrong}>
      <textarea
        id={id}
        name={name}
        rows={rows}
        required={required ?? false}
        {...(maxLength === undefined ? {} : { maxLength })}
        value={form.value(name)}
        aria-invalid={wrong !== undefined}
        aria-describedby={describedBy(id, hint, wrong)}
        onInput={(event) => form.set(name, event.currentTarget.value)}
      />
    </Frame>
  )
}

/** One of what there is to choose from. */
export interface Choice {
  readonly value: string
  readonly label: string
}

/** One of several. */
export const SelectField = (
  { choices, form, hint, label, name }: FieldProps & { readonly choices: ReadonlyArray<Choice> }
) => {
  const id = useId()
  const wrong = form.wrong(name)
  const textOf = (text: string) => choices.find((choice) => choice.value === text)?.label ?? text
  return (
    <Frame form={form} name={name} id={id} label={label} hint={hint} wrong={wrong} textOf={textOf}>
      <select
        id={id}
        name={name}
        value={form.value(name)}
        aria-invalid={wrong !== undefined}
        aria-describedby={describedBy(id, hint, wrong)}
        onChange={(event) => form.set(name, event.currentTarget.value)}
      >
        {choices.map(({ label, value }) => <option key={value} value={value}>{label}</option>)}
      </select>
    </Frame>
  )
}

/** Yes or no, kept as `true` or nothing. */
export const CheckField = ({ form, hint, label, name }: FieldProps) => {
  const id = useId()
  return (
    <div class="field check">
      <input
        id={id}
        name={name}
        type="checkbox"
        checked={form.value(name) === "true"}
        aria-describedby={describedBy(id, hint, undefined)}
        onChange={(event) => form.set(name, event.currentTarget.checked ? "true" : "")}
      />
      <label for={id}>{label}</label>
      {hint !== undefined && <p class="hint" id={`${id}-hint`}>{hint}</p>}
      <FieldConflict form={form} name={name} label={label} textOf={switchText} />
    </div>
  )
}
