import { useSignal } from "@preact/signals"
import { turma } from "../../../../browser/client/Api.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { millisOf } from "../../../../browser/client/Time.ts"
import { CopyButton } from "../../../../browser/parts/Code.tsx"
import { Confirm } from "../../../../browser/parts/Dialog.tsx"
import { useForm } from "../../../../browser/parts/Form.ts"
import { clock, Countdown } from "../../../../browser/parts/Moment.tsx"
import type { Membership } from "../../../club/Session.ts"
import type { Endpoint } from "../model/EndpointHealth.ts"
import { endpointsChanged } from "../parts/Reads.ts"
import { SecretShown } from "../settings/SecretShown.tsx"
import { SigningField, signingIn, signingName } from "../settings/SigningField.tsx"
import { EditCard } from "./EditCard.tsx"
import { SaveButtons, savedWord } from "./SaveButtons.tsx"

const words = spoken(
  {
    address: "Its address, with the replaced keys",
    ask: "Rotate the secret?",
    copyAddress: "the address",
    copyKey: "the public key",
    done: "There is a new secret",
    key: "Public key",
    old: "The earlier secret still signs beside the newest one, for",
    one: "Only the newest secret signs.",
    rotate: "Rotate",
    signing: "What signs",
    text:
      "You get a new secret, shown once. The current secret also signs for 24 more hours, so your receiver refuses no event while you change it. Up to five replaced secrets sign at a time.",
    textOfKey: "The key is replaced too, in the same way. Its address stays.",
    title: "Signatures"
  },
  {
    address: "Endereço dela, com as chaves antigas",
    ask: "Trocar o segredo?",
    copyAddress: "o endereço",
    copyKey: "a chave pública",
    done: "O segredo foi trocado",
    key: "Chave pública",
    old: "O segredo anterior ainda assina, junto com o mais novo, por",
    one: "Só o segredo mais novo assina.",
    rotate: "Trocar",
    signing: "O que assina",
    text:
      "Você recebe um segredo novo, mostrado uma única vez. O atual continua assinando por mais 24 horas, e nenhum evento é recusado enquanto você troca o segredo no receptor. Até cinco segredos antigos assinam ao mesmo tempo.",
    textOfKey: "A chave também é trocada, da mesma forma. O endereço dela continua o mesmo.",
    title: "Assinaturas"
  }
)

interface SignaturesProps {
  readonly club: Membership
  readonly endpoint: Endpoint
}

const Edit = ({ club, endpoint, onDone }: SignaturesProps & { readonly onDone: () => void }) => {
  const form = useForm({
    of: endpoint,
    values: { signing: endpoint.signing },
    done: savedWord(),
    send: async (value) => {
      const params = { clubId: club.organization_id, endpointId: endpoint.id }
      await turma.webhookEndpoints.update({ ...params, body: { signing: signingIn(value("signing")) } })
      endpointsChanged(club)
      onDone()
    }
  })
  return (
    <form class="stack" onSubmit={form.submit}>
      <SigningField form={form} />
      <SaveButtons isReady={form.isChanged} isRunning={form.isRunning} onDone={onDone} />
    </form>
  )
}

const Copied = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <div class="secret one-line">
    <code>{text}</code>
    <CopyButton text={text} what={what} />
  </div>
)

const Keys = ({ endpoint: { id, public_key, signing } }: Pick<SignaturesProps, "endpoint">) => {
  const { address, copyAddress, copyKey, key, signing: label } = said(words)
  return (
    <dl class="stack">
      <div>
        <dt class="soft">{label}</dt>
        <dd>{signingName(signing)}</dd>
      </div>
      {public_key !== null && (
        <>
          <div>
            <dt class="soft">{key}</dt>
            <dd>
              <Copied text={public_key} what={copyKey} />
            </dd>
          </div>
          <div>
            <dt class="soft">{address}</dt>
            <dd>
              <Copied text={`${location.origin}/.well-known/turma/webhook-keys/${id}`} what={copyAddress} />
            </dd>
          </div>
        </>
      )}
    </dl>
  )
}

/** By itself, since it changes every second. */
const Overlap = ({ endpoint: { previous_secret_expires_at: until } }: Pick<SignaturesProps, "endpoint">) => {
  const { old, one } = said(words)
  if (until === null || millisOf(until) <= clock.value) return <p>{one}</p>
  return (
    <p>
      {old} <Countdown until={until} />
    </p>
  )
}

/** The signing of an endpoint: secret and key, whether an earlier secret still signs, and a replacement. */
export const Signatures = ({ club, endpoint }: SignaturesProps) => {
  const isAsked = useSignal(false)
  const secret = useSignal<string | undefined>(undefined)
  const { ask, done, rotate, text, textOfKey, title } = said(words)
  const run = async () => {
    const params = { clubId: club.organization_id, endpointId: endpoint.id }
    const { data } = await turma.webhookEndpoints.rotateSecret(params)
    secret.value = data.secret
    endpointsChanged(club)
  }
  return (
    <EditCard
      title={title}
      actions={<button type="button" class="quiet" onClick={() => (isAsked.value = true)}>{rotate}</button>}
      edit={(onDone) => <Edit club={club} endpoint={endpoint} onDone={onDone} />}
      below={
        <>
          {secret.value !== undefined && <SecretShown secret={secret.value} />}
          <Overlap endpoint={endpoint} />
          {isAsked.value && (
            <Confirm title={ask} action={rotate} done={done} work={run} onClose={() => (isAsked.value = false)}>
              <p>{text}</p>
              {endpoint.public_key !== null && <p>{textOfKey}</p>}
            </Confirm>
          )}
        </>
      }
    >
      <Keys endpoint={endpoint} />
    </EditCard>
  )
}
