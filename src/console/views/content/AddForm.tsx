import { said, spoken } from "../../../browser/client/Language.ts"
import { TextField } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"

const words = spoken({ add: "Add" }, { add: "Adicionar" })

/** A line to add something by its title, and then the next. */
export const AddForm = (
  { add, label }: { readonly label: string; readonly add: (title: string) => Promise<unknown> }
) => {
  const form = useForm({
    values: { title: "" },
    send: async (value) => {
      await add(value("title"))
      form.reset({ title: "" })
    }
  })
  return (
    <form class="add-line" onSubmit={form.submit}>
      <TextField form={form} name="title" label={label} required maxLength={200} autocomplete="off" />
      <button type="submit" class="quiet" aria-busy={form.isRunning}>{said(words).add}</button>
    </form>
  )
}
