import { said, spoken } from "../../../browser/client/Language.ts"
import { Dialog } from "../../../browser/parts/Dialog.tsx"
import { type Choice, SelectField, TextField } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import { clubMoment, useOfClub } from "../../club/ClubZone.ts"
import { type Opening, openingFields, openingSaid } from "./opening.ts"
import { OpeningFields, openingValues } from "./Opening.tsx"

const words = spoken(
  {
    key: "Public id",
    keyHint: "Its key in classroom addresses: letters, digits, “_” and “-”. A new key frees the old one.",
    keyNew: "Its key in classroom addresses. Empty: Turma makes one.",
    module: "Module",
    name: "Title",
    save: "Save",
    saved: "Saved"
  },
  {
    key: "Id público",
    keyHint: "A chave nos endereços da sala de aula: letras, números, “_” e “-”. Uma chave nova libera a antiga.",
    keyNew: "A chave nos endereços da sala de aula. Em branco: a Turma cria uma.",
    module: "Módulo",
    name: "Título",
    save: "Salvar",
    saved: "Salvo"
  }
)

interface Titled {
  readonly title: string
  readonly public_id?: string
  readonly module_id?: string
}

type Entered = Titled & Partial<Opening>

interface TitleDialogProps {
  readonly title: string
  /** The edited record as it was read. Undefined for a new one. */
  readonly of?: object
  /** The current values; empty fields for a new record. Without `public_id` it has no key in addresses. */
  readonly values: Titled
  /** The modules that it may be moved to. */
  readonly modules?: ReadonlyArray<Choice>
  /** When it opens. Undefined for what has no opening. */
  readonly opening?: Opening
  /** Sends it; of something that is edited what was changed alone. */
  readonly send: (entered: Entered, changes: Partial<Entered>) => Promise<unknown>
  readonly onClose: () => void
}

/** Asks how something is called, its key in addresses, and when it opens. */
export const TitleDialog = ({ modules, of, onClose, opening, send, title, values }: TitleDialogProps) => {
  const form = useForm({
    // The fields of a moment have it once the club's zone is known.
    of: useOfClub(of),
    values: { ...values, ...(opening === undefined ? {} : openingValues(opening)) },
    send: async (value) => {
      const [public_id, module_id] = [value("public_id").trim(), value("module_id")]
      const entered = {
        title: value("title"),
        // The API makes the key of a new record up. An existing key can change but not go.
        ...(of === undefined && public_id === "" ? {} : { public_id }),
        ...(module_id === "" ? {} : { module_id })
      }
      // The way and its field go together: the other field is cleared.
      const opens = openingFields.some(form.isTouched) ? openingSaid(value, clubMoment) : {}
      await send({ ...entered, ...opens }, { ...form.changes(entered), ...opens })
      onClose()
    },
    done: said(words).saved
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={form.submit}>
        <TextField form={form} name="title" label={said(words).name} required maxLength={200} autofocus />
        {values.public_id !== undefined && (
          <TextField
            form={form}
            name="public_id"
            label={said(words).key}
            hint={values.public_id === "" ? said(words).keyNew : said(words).keyHint}
            maxLength={32}
            required={of !== undefined}
          />
        )}
        {modules !== undefined && (
          <SelectField form={form} name="module_id" label={said(words).module} choices={modules} />
        )}
        {opening !== undefined && <OpeningFields form={form} />}
        <div class="actions">
          <button type="submit" disabled={of !== undefined && !form.isChanged} aria-busy={form.isRunning}>
            {said(words).save}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
