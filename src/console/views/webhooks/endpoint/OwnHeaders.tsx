import { useSignal } from "@preact/signals"
import { turma } from "../../../../browser/client/Api.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { Confirm } from "../../../../browser/parts/Dialog.tsx"
import { TextField } from "../../../../browser/parts/Fields.tsx"
import { useForm } from "../../../../browser/parts/Form.ts"
import type { Membership } from "../../../club/Session.ts"
import type { Endpoint } from "../model/EndpointHealth.ts"
import { endpointsChanged } from "../parts/Reads.ts"
import { EditCard } from "./EditCard.tsx"

const words = spoken(
  {
    cancel: "Close",
    kept: "Each request carries these headers too. Their values are encrypted and never shown.",
    name: "Name",
    none: "You have set no headers of your own.",
    remove: "Take away",
    removeOf: (name: string) => `Take away ${name}`,
    removed: "The header is removed",
    removeText: (name: string) => `From the next attempt on, requests do not carry ${name}. Its value is erased.`,
    removeTitle: "Take this header away?",
    set: "Set it",
    setDone: "The header is set",
    title: "Headers",
    value: "Value",
    valueHint: "Such as a credential for your gateway. An existing name gets this value."
  },
  {
    cancel: "Fechar",
    kept: "Cada requisição leva também estes cabeçalhos. Os valores são criptografados e nunca são mostrados.",
    name: "Nome",
    none: "Nenhum cabeçalho seu foi definido.",
    remove: "Remover",
    removeOf: (name: string) => `Remover ${name}`,
    removed: "O cabeçalho foi removido",
    removeText: (name: string) => `A partir da próxima tentativa, nenhuma requisição leva ${name}. O valor é apagado.`,
    removeTitle: "Remover este cabeçalho?",
    set: "Definir",
    setDone: "O cabeçalho foi definido",
    title: "Cabeçalhos",
    value: "Valor",
    valueHint: "Por exemplo, uma credencial do seu gateway. Se o nome já existir, o valor é substituído."
  }
)

interface OwnHeadersProps {
  readonly club: Membership
  readonly endpoint: Endpoint
}

const save = async ({ club, endpoint }: OwnHeadersProps, name: string, value: string | null) => {
  const params = { clubId: club.organization_id, endpointId: endpoint.id }
  await turma.webhookEndpoints.update({ ...params, body: { headers: { [name]: value } } })
  endpointsChanged(club)
}

const Edit = ({ onDone, ...of }: OwnHeadersProps & { readonly onDone: () => void }) => {
  const form = useForm({
    done: said(words).setDone,
    send: async (value) => {
      await save(of, value("name").trim(), value("value").trim())
      form.reset()
    }
  })
  const { cancel, name, set, value, valueHint } = said(words)
  return (
    <form class="stack" autocomplete="off" onSubmit={form.submit}>
      <TextField form={form} name="name" label={name} maxLength={100} required autocomplete="off" />
      <TextField
        form={form}
        name="value"
        label={value}
        hint={valueHint}
        type="password"
        maxLength={1000}
        required
        autocomplete="new-password"
      />
      <div class="actions">
        <button type="submit" aria-busy={form.isRunning}>{set}</button>
        <button type="button" class="quiet" onClick={onDone}>{cancel}</button>
      </div>
    </form>
  )
}

/** Headers that every request to an endpoint has: their names, setting one, and taking one away. */
export const OwnHeaders = ({ club, endpoint }: OwnHeadersProps) => {
  const gone = useSignal<string | undefined>(undefined)
  const { kept, none, remove, removed, removeOf, removeText, removeTitle, title } = said(words)
  const name = gone.value
  const list = endpoint.header_names.length === 0 ? <p class="soft">{none}</p> : (
    <>
      <ul class="plain-list" aria-label={title}>
        {endpoint.header_names.map((one) => (
          <li key={one} class="row between">
            <code>{one}</code>
            <button type="button" class="link" aria-label={removeOf(one)} onClick={() => (gone.value = one)}>
              {remove}
            </button>
          </li>
        ))}
      </ul>
      <p class="soft small">{kept}</p>
    </>
  )
  return (
    <EditCard
      title={title}
      edit={(onDone) => (
        <>
          {list}
          <Edit club={club} endpoint={endpoint} onDone={onDone} />
        </>
      )}
      below={name !== undefined && (
        <Confirm
          title={removeTitle}
          action={remove}
          done={removed}
          isDangerous
          work={() => save({ club, endpoint }, name, null)}
          onClose={() => (gone.value = undefined)}
        >
          <p>{removeText(name)}</p>
        </Confirm>
      )}
    >
      {list}
    </EditCard>
  )
}
