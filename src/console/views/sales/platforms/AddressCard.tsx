import { useSignal } from "@preact/signals"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { millisOf } from "../../../../browser/client/Time.ts"
import { Badge, type Tone } from "../../../../browser/parts/Badge.tsx"
import { CopyButton } from "../../../../browser/parts/Code.tsx"
import type { IconName } from "../../../../browser/parts/icons.ts"
import { MenuEntry, MoreMenu } from "../../../../browser/parts/Menu.tsx"
import { clock, Countdown, Moment } from "../../../../browser/parts/Moment.tsx"
import type { Membership } from "../../../club/Session.ts"
import { addressState } from "../model/SalesSentence.ts"
import type { Address, Platform } from "../Reads.ts"
import { AddressForm } from "./AddressForm.tsx"
import { type AddressAction, ConfirmAddress } from "./ConfirmAddress.tsx"
import { wordsOf } from "./wordsOf.ts"

type State = ReturnType<typeof addressState>

const words = spoken(
  {
    address: "address",
    change: "Change",
    copy: "Copy",
    delete: "Delete",
    disable: "Disable",
    enable: "Enable",
    last: "The last event came",
    never: "Nothing has come in yet",
    old: "The previous address still works for",
    rotate: "Replace the address",
    sentences: {
      off: "While it is off, the platform gets 404.",
      open: "It accepts everything unverified: anyone who knows the address can send sales.",
      refusing: "It refuses everything until the platform's secret is entered.",
      taking: "It takes in what the platform signs."
    },
    states: { off: "Off", open: "Without a secret", refusing: "Secret is missing", taking: "Takes in" },
    steps: (platform: string) => `Steps on ${platform}`
  },
  {
    address: "endereço",
    change: "Mudar",
    copy: "Copiar",
    delete: "Excluir",
    disable: "Desligar",
    enable: "Ligar",
    last: "O último evento chegou",
    never: "Nada chegou ainda",
    old: "O endereço anterior ainda funciona por",
    rotate: "Trocar o endereço",
    sentences: {
      off: "Enquanto ele está desligado, a plataforma recebe 404.",
      open: "Recebe tudo sem verificar: quem souber o endereço pode enviar vendas falsas.",
      refusing: "Recusa tudo até você informar o segredo da plataforma.",
      taking: "Recebe o que a plataforma assina."
    },
    states: { off: "Desligado", open: "Sem segredo", refusing: "Falta o segredo", taking: "Recebe" },
    steps: (platform: string) => `Passos na ${platform}`
  }
)

const tones: Readonly<Record<State, Tone>> = { off: "quiet", open: "warning", refusing: "bad", taking: "good" }

const AddressActions = ({ address, ask, change }: {
  readonly address: Address
  readonly ask: (action: AddressAction) => void
  readonly change: () => void
}) => {
  const nameOf = (action: AddressAction) => `${said(words)[action]}: ${address.name}`
  const button = (action: AddressAction) => (
    <button
      type="button"
      class="quiet"
      aria-label={nameOf(action)}
      onClick={() => ask(action)}
    >
      {said(words)[action]}
    </button>
  )
  const entry = (action: AddressAction, icon: IconName, isDangerous: boolean) => (
    <MenuEntry
      icon={icon}
      isDangerous={isDangerous}
      label={said(words)[action]}
      name={nameOf(action)}
      act={() => ask(action)}
    />
  )
  return (
    <div class="actions">
      <button type="button" class="quiet" aria-label={`${said(words).change}: ${address.name}`} onClick={change}>
        {said(words).change}
      </button>
      {button(address.enabled ? "rotate" : "enable")}
      <MoreMenu of={address.name}>
        {address.enabled ? entry("disable", "stop", true) : entry("rotate", "key", false)}
        {entry("delete", "remove", true)}
      </MoreMenu>
    </div>
  )
}

const Steps = ({ platform }: { readonly platform: Platform }) => {
  const { lang, setup_steps } = wordsOf(platform)
  return <ol lang={lang}>{setup_steps.map((step) => <li key={step}>{step}</li>)}</ol>
}

interface AddressCardProps {
  readonly club: Membership
  readonly address: Address
  readonly platform: Platform | undefined
  /** True if the address is new: the card then shows the steps. */
  readonly isNew: boolean
}

/** An address: how it stands, what to copy, and what to do with it on the platform. */
export const AddressCard = ({ address, club, isNew, platform }: AddressCardProps) => {
  const isChanging = useSignal(false)
  const asked = useSignal<AddressAction | undefined>(undefined)
  const state = addressState(address)
  const name = platform?.name ?? address.platform
  const { previous_token_expires_at: until } = address
  return (
    <article class="card stack" aria-label={address.name}>
      <div class="row">
        <h2 dir="auto">{address.name}</h2>
        <Badge tone={tones[state]}>{said(words).states[state]}</Badge>
        {address.name !== name && <span class="soft">{name}</span>}
      </div>
      <p>
        {said(words).sentences[state]} {address.last_event_at === null ? `${said(words).never}.` : (
          <>
            {said(words).last} <Moment at={address.last_event_at} />.
          </>
        )}
      </p>
      <div class="copied">
        <code>{address.url}</code>
        <CopyButton text={address.url} what={said(words).address} label={said(words).copy} />
      </div>
      {until !== null && millisOf(until) > clock.value && (
        <p class="notice">
          {said(words).old} <Countdown until={until} />
        </p>
      )}
      {platform !== undefined && (
        <details open={isNew}>
          <summary>{said(words).steps(name)}</summary>
          <Steps platform={platform} />
        </details>
      )}
      <AddressActions
        address={address}
        ask={(action) => (asked.value = action)}
        change={() => (isChanging.value = true)}
      />
      {isChanging.value && platform !== undefined && (
        <AddressForm
          club={club}
          platforms={[platform]}
          address={address}
          onClose={() => (isChanging.value = false)}
        />
      )}
      {asked.value !== undefined && (
        <ConfirmAddress club={club} address={address} action={asked.value} onClose={() => (asked.value = undefined)} />
      )}
    </article>
  )
}
