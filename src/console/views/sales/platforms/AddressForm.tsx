import { turma } from "../../../../browser/client/Api.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { Dialog } from "../../../../browser/parts/Dialog.tsx"
import { CheckField, SelectField, TextField } from "../../../../browser/parts/Fields.tsx"
import { useForm } from "../../../../browser/parts/Form.ts"
import type { Membership } from "../../../club/Session.ts"
import { type Address, chosenKey, type Platform, salesChanged } from "../Reads.ts"
import { salesWords } from "../words.ts"
import { wordsOf } from "./wordsOf.ts"

const words = spoken(
  {
    change: "Change the address",
    create: "Make the address",
    made: "The address is ready: enter it on the platform",
    name: "Name",
    nameHint: "What you call it. Empty: the platform's name.",
    nameKept: "What you call it.",
    platform: "Platform",
    proof: "How it signs",
    secret: "Secret of the platform",
    secretHint: "The platform signs with it. You can enter it later; until then everything is refused.",
    secretKept: "One is set, and it is never shown. Empty: it stays.",
    title: "New address",
    tokenOnly: "Accept without a secret",
    tokenOnlyHint: "Anyone who knows the address can then send sales. Use it only if the platform has no secret."
  },
  {
    change: "Mudar o endereço",
    create: "Criar o endereço",
    made: "O endereço foi criado: informe-o na plataforma",
    name: "Nome",
    nameHint: "Como você chama este endereço. Em branco: o nome da plataforma.",
    nameKept: "Como você chama este endereço.",
    platform: "Plataforma",
    proof: "Como ela assina",
    secret: "Segredo da plataforma",
    secretHint: "A plataforma assina com ele. Dá para informar depois; até lá tudo é recusado.",
    secretKept: "Já existe um, que nunca é mostrado. Em branco: ele continua.",
    title: "Novo endereço",
    tokenOnly: "Aceitar sem segredo",
    tokenOnlyHint: "Quem souber o endereço pode enviar vendas falsas. Use só se a plataforma não tiver segredo."
  }
)

interface AddressFormProps {
  readonly club: Membership
  readonly platforms: ReadonlyArray<Platform>
  /** The one to change; a new one without it. */
  readonly address?: Address
  readonly onClose: () => void
  readonly onMade?: (id: string) => void
}

/** Makes an address, or changes one. */
export const AddressForm = ({ address, club, onClose, onMade, platforms }: AddressFormProps) => {
  const clubId = club.organization_id
  const form = useForm({
    of: address,
    values: {
      platform: address?.platform ?? platforms[0]?.key ?? "",
      name: address?.name ?? "",
      secret: "",
      token_only: address?.token_only === true ? "true" : ""
    },
    send: async (value) => {
      const name = value("name").trim()
      const body = {
        // A new one is called as its platform; one that is there keeps a name.
        ...(address === undefined && name === "" ? {} : { name }),
        ...(value("secret").trim() === "" ? {} : { secret: value("secret").trim() }),
        token_only: value("token_only") === "true"
      }
      const { data } = address === undefined
        ? await turma.inboundWebhooks.create({
          clubId,
          body: { platform: chosenKey(platforms, value("platform")), ...body }
        })
        : await turma.inboundWebhooks.update({ clubId, inboundWebhookId: address.id, body: form.changes(body) })
      salesChanged(club)
      onMade?.(data.id)
      onClose()
    },
    done: address === undefined ? said(words).made : said(salesWords).saved
  })
  const platform = platforms.find(({ key }) => key === form.value("platform"))
  return (
    <Dialog title={address === undefined ? said(words).title : said(words).change} onClose={onClose}>
      <form class="stack" onSubmit={form.submit}>
        {address === undefined && (
          <SelectField
            form={form}
            name="platform"
            label={said(words).platform}
            choices={platforms.map(({ key, name }) => ({ value: key, label: name }))}
          />
        )}
        {platform !== undefined && (
          <p class="soft small">
            {said(words).proof}: <span lang={wordsOf(platform).lang}>{wordsOf(platform).signature}</span>
          </p>
        )}
        <TextField
          form={form}
          name="name"
          label={said(words).name}
          hint={address === undefined ? said(words).nameHint : said(words).nameKept}
          maxLength={120}
          required={address !== undefined}
          autocomplete="off"
        />
        <TextField
          form={form}
          name="secret"
          label={said(words).secret}
          hint={address?.secret_set === true ? said(words).secretKept : said(words).secretHint}
          maxLength={500}
          autocomplete="off"
        />
        <CheckField form={form} name="token_only" label={said(words).tokenOnly} hint={said(words).tokenOnlyHint} />
        <div class="actions">
          <button
            type="submit"
            disabled={address === undefined ? platform === undefined : !form.isChanged}
            aria-busy={form.isRunning}
          >
            {address === undefined ? said(words).create : said(salesWords).save}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
