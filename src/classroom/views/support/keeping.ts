import type { Kept } from "../../../browser/client/Drafts.ts"
import type { Form } from "../../../browser/parts/Form.ts"

/** A form whose texts the tab keeps until they are sent: each field has a draft of its name. */
export const keeping = (form: Form, drafts: Readonly<Record<string, Kept>>): Form => ({
  ...form,
  set: (name, text) => {
    form.set(name, text)
    drafts[name]?.set(text)
  }
})
