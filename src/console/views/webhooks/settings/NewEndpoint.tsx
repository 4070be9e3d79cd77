import { useSignal } from "@preact/signals"
import { turma } from "../../../../browser/client/Api.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { query } from "../../../../browser/client/Location.ts"
import { TextField } from "../../../../browser/parts/Fields.tsx"
import { useForm } from "../../../../browser/parts/Form.ts"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import type { Schemas } from "../../../../sdk/index.ts"
import { clubPage, type ClubViewProps } from "../../../club/View.ts"
import { filterIn } from "../model/FilterText.ts"
import { asEventTypes, limitOf } from "../model/Typed.ts"
import { administered } from "../parts/Administered.tsx"
import { endpointsChanged } from "../parts/Reads.ts"
import { Catalogue } from "./Catalogue.tsx"
import { FilterField } from "./FilterField.tsx"
import { LimitFields } from "./LimitFields.tsx"
import { inboxParameter } from "./newEndpointOf.ts"
import { SecretShown } from "./SecretShown.tsx"
import { SigningField, signingIn } from "./SigningField.tsx"
import { TestButton } from "./TestButton.tsx"

const words = spoken(
  {
    create: "Register the endpoint",
    description: "Description",
    descriptionHint: "For you and your team: what is behind it.",
    done: "To the endpoint",
    madeLead: "It is registered and gets events from now on. Nothing has been sent yet.",
    made: "One step remains: try it",
    madeText: "Save the secret, give it to your receiver, and send a test. The test shows the receiver's answer.",
    headers: "Set headers of your own on its page.",
    inbox: "Its events go to your inbox, and the inbox shows them while it exists.",
    more: "Signatures, limits and a filter",
    none: "Choose at least one type of event",
    receivers: "Receivers to copy, in five languages",
    title: "New endpoint",
    url: "URL",
    urlHint: "An https address of the public internet. Nothing is sent before there is an event.",
    webhooks: "Webhooks"
  },
  {
    create: "Registrar o endpoint",
    description: "Descrição",
    descriptionHint: "Para você e a equipe: o que é este endpoint.",
    done: "Ir ao endpoint",
    madeLead: "Está registrado e recebe os eventos a partir de agora. Nada foi enviado ainda.",
    made: "Falta um passo: testar",
    madeText: "Guarde o segredo, passe-o ao seu receptor e envie um teste. O teste mostra a resposta do receptor.",
    headers: "Defina seus próprios cabeçalhos na página do endpoint.",
    inbox: "Os eventos vão para a sua caixa de teste, que os mostra enquanto existir.",
    more: "Assinaturas, limites e um filtro",
    none: "Escolha ao menos um tipo de evento",
    receivers: "Receptores para copiar, em cinco linguagens",
    title: "Novo endpoint",
    url: "URL",
    urlHint: "Um endereço https da internet pública. Nada é enviado antes de haver um evento.",
    webhooks: "Webhooks"
  }
)

type Made = Schemas["WebhookEndpointWithSecret"]

const MadeEndpoint = ({ club, made }: Pick<ClubViewProps, "club"> & { readonly made: Made }) => (
  <>
    <PageHead
      title={said(words).made}
      above={[{ label: said(words).webhooks, to: clubPage(club, "webhooks") }]}
    >
      <p>{said(words).madeLead}</p>
    </PageHead>
    <section class="card stack">
      <p class="url">
        <strong>{made.url}</strong>
      </p>
      <SecretShown secret={made.secret} />
      <p>
        {said(words).madeText} <a href="/docs/guides/receivers">{said(words).receivers}</a>
      </p>
      <TestButton club={club} endpoint={made} />
      <p>
        <a class="button quiet" href={clubPage(club, "webhooks", made.id)}>{said(words).done}</a>
      </p>
    </section>
  </>
)

const NewEndpoint = ({ club }: ClubViewProps) => {
  const made = useSignal<Made | undefined>(undefined)
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const isWrong = useSignal(false)
  const inbox = query.value.get(inboxParameter)
  const form = useForm({
    values: { url: "", description: "", signing: "hmac", max_per_second: "", max_in_flight: "", filter: "" },
    send: async (value) => {
      isWrong.value = chosen.peek().size === 0
      if (isWrong.peek()) return
      const { data } = await turma.webhookEndpoints.create({
        clubId: club.organization_id,
        body: {
          ...(inbox === null ? { url: value("url").trim() } : { inbox_id: inbox }),
          description: value("description"),
          event_types: asEventTypes(chosen.peek()),
          signing: signingIn(value("signing")),
          max_per_second: limitOf(value("max_per_second")),
          max_in_flight: limitOf(value("max_in_flight")),
          filter: filterIn(value("filter")) ?? null
        }
      })
      made.value = data
      endpointsChanged(club)
    }
  })
  if (made.value !== undefined) return <MadeEndpoint club={club} made={made.value} />
  const { create, description, descriptionHint, headers, more, none, title, url, urlHint, webhooks } = said(words)
  const target = inbox === null
    ? <TextField form={form} name="url" label={url} hint={urlHint} type="url" required autofocus />
    : <p>{said(words).inbox}</p>
  return (
    <>
      <PageHead title={title} above={[{ label: webhooks, to: clubPage(club, "webhooks") }]} />
      <form class="card stack" onSubmit={form.submit}>
        {target}
        <TextField form={form} name="description" label={description} hint={descriptionHint} maxLength={500} />
        <Catalogue
          club={club}
          chosen={chosen.value}
          choose={(types) => {
            chosen.value = types
            isWrong.value = false
          }}
        />
        {isWrong.value && <p class="wrong" role="alert">{none}</p>}
        <details>
          <summary>{more}</summary>
          <div class="stack narrow">
            <SigningField form={form} />
            <LimitFields form={form} />
            <FilterField club={club} form={form} types={[...chosen.value]} />
            <p class="soft">{headers}</p>
          </div>
        </details>
        <div class="actions reach">
          <button
            type="submit"
            aria-busy={form.isRunning}
            disabled={filterIn(form.value("filter")) === undefined}
          >
            {create}
          </button>
        </div>
      </form>
    </>
  )
}

/** Registers an endpoint, shows its secret this once, and leads to its test. */
export default administered(NewEndpoint)
