import { TextArea } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"

interface WordsFormProps {
  readonly label: string
  readonly action: string
  readonly send: (body: string) => Promise<unknown>
}

/** A field for words that are sent, and then for the next. */
export const WordsForm = ({ action, label, send }: WordsFormProps) => {
  const form = useForm({
    values: { body: "" },
    send: async (value) => {
      await send(value("body"))
      form.reset({ body: "" })
    }
  })
  return (
    <form class="stack narrow" onSubmit={form.submit}>
      <TextArea form={form} name="body" label={label} rows={3} required maxLength={5000} />
      <div class="actions">
        <button type="submit" class="quiet" aria-busy={form.isRunning}>{action}</button>
      </div>
    </form>
  )
}
