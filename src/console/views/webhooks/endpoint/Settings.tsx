import { useSignal } from "@preact/signals"
import { turma } from "../../../../browser/client/Api.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { ConflictNotice } from "../../../../browser/parts/ConflictNotice.tsx"
import { CheckField, TextField } from "../../../../browser/parts/Fields.tsx"
import { useForm, useTracked } from "../../../../browser/parts/Form.ts"
import type { Membership } from "../../../club/Session.ts"
import type { Endpoint } from "../model/EndpointHealth.ts"
import { asEventTypes } from "../model/Typed.ts"
import { endpointsChanged } from "../parts/Reads.ts"
import { Catalogue } from "../settings/Catalogue.tsx"
import { SaveButtons, savedWord } from "./SaveButtons.tsx"

const words = spoken(
  {
    change: "Change",
    description: "Description",
    inbox: "An inbox of the club: it shows what is sent. To send elsewhere, enter a URL.",
    listener: "A listener has no address: it asks for due deliveries.",
    none: "No description",
    notices: "Mail owners and administrators when it is held for an hour, back, or about to be disabled",
    title: "Settings",
    types: "Types of events",
    url: "URL"
  },
  {
    change: "Mudar",
    description: "Descrição",
    inbox: "Uma caixa de teste do clube, que mostra o que chega. Para enviar a outro lugar, informe uma URL.",
    listener: "Um listener não tem endereço: ele busca os envios pendentes.",
    none: "Sem descrição",
    notices:
      "Avisar titulares e administradores por e-mail quando ficar retido por uma hora, voltar a funcionar ou estiver perto de ser desativado",
    title: "Configurações",
    types: "Tipos de eventos",
    url: "URL"
  }
)

interface SettingsProps {
  readonly club: Membership
  readonly endpoint: Endpoint
}

const textOf = (types: ReadonlySet<string>) => [...types].toSorted().join(" ")

const Edit = ({ club, endpoint, onDone }: SettingsProps & { readonly onDone: () => void }) => {
  const chosen = useTracked<ReadonlySet<string>>(new Set(endpoint.event_types), textOf)
  const form = useForm({
    of: endpoint,
    values: {
      url: endpoint.kind === "https" ? endpoint.url : "",
      description: endpoint.description,
      notices: endpoint.notices ? "true" : ""
    },
    done: savedWord(),
    send: async (value) => {
      await turma.webhookEndpoints.update({
        clubId: club.organization_id,
        endpointId: endpoint.id,
        body: {
          ...form.changes({
            url: value("url").trim(),
            description: value("description"),
            notices: value("notices") === "true"
          }),
          ...(chosen.isChanged ? { event_types: asEventTypes(chosen.value) } : {})
        }
      })
      endpointsChanged(club)
      onDone()
    }
  })
  const { description, inbox, listener, notices, types, url } = said(words)
  const isChanged = form.isChanged || chosen.isChanged
  return (
    <form class="stack" onSubmit={form.submit}>
      {endpoint.kind === "listener"
        ? <p>{listener}</p>
        : endpoint.kind === "inbox"
        ? <TextField form={form} name="url" label={url} hint={inbox} type="url" />
        : <TextField form={form} name="url" label={url} type="url" required />}
      <TextField form={form} name="description" label={description} maxLength={500} />
      {endpoint.kind !== "listener" && <CheckField form={form} name="notices" label={notices} />}
      <Catalogue club={club} chosen={chosen.value} choose={chosen.set} />
      {chosen.isContested && (
        <ConflictNotice label={types} take={chosen.take}>{endpoint.event_types.toSorted().join(", ")}</ConflictNotice>
      )}
      <SaveButtons isReady={isChanged && chosen.value.size > 0} isRunning={form.isRunning} onDone={onDone} />
    </form>
  )
}

const Read = ({ endpoint }: Pick<SettingsProps, "endpoint">) => {
  const { description, listener, none, types, url } = said(words)
  return (
    <dl class="facts">
      <dt>{url}</dt>
      <dd class="url">{endpoint.kind === "listener" ? listener : endpoint.url}</dd>
      <dt>{description}</dt>
      <dd dir="auto">{endpoint.description === "" ? <span class="soft">{none}</span> : endpoint.description}</dd>
      <dt>{types}</dt>
      <dd>
        <ul class="plain-list">
          {endpoint.event_types.map((type) => (
            <li key={type}>
              <code>{type}</code>
            </li>
          ))}
        </ul>
      </dd>
    </dl>
  )
}

/** The purpose of an endpoint, and its address. */
export const Settings = ({ club, endpoint }: SettingsProps) => {
  const isEdited = useSignal(false)
  return (
    <section class="card stack" aria-labelledby="settings">
      <div class="row headed">
        <h2 id="settings">{said(words).title}</h2>
        {!isEdited.value && (
          <button type="button" class="quiet" onClick={() => (isEdited.value = true)}>{said(words).change}</button>
        )}
      </div>
      {isEdited.value
        ? <Edit club={club} endpoint={endpoint} onDone={() => (isEdited.value = false)} />
        : <Read endpoint={endpoint} />}
    </section>
  )
}
