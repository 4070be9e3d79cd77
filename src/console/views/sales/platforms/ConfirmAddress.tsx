import { turma } from "../../../client/Api.ts"
import { said, spoken } from "../../../client/Language.ts"
import type { Membership } from "../../../client/Session.ts"
import { Confirm } from "../../../parts/Dialog.tsx"
import { type Address, salesChanged } from "../Reads.ts"

/** The actions on an address that ask first. */
export type AddressAction = "rotate" | "enable" | "disable" | "delete"

const words = spoken(
  {
    actions: { delete: "Delete", disable: "Disable", enable: "Enable", rotate: "Replace the address" },
    done: {
      delete: "The address is deleted",
      disable: "The address is off",
      enable: "The address takes sales in again",
      rotate: "There is a new address: enter it on the platform within 24 hours"
    },
    texts: {
      delete:
        "The platform is answered 404 from then on, and its sales let nobody in any more. Events that have come in stay readable for as long as they are kept. This cannot be undone.",
      disable:
        "The platform is answered 404 until you enable it again: its sales let nobody in meanwhile. Most platforms try again for a while.",
      enable: "It takes in what the platform sends from now on.",
      rotate:
        "You get a new address, which you enter on the platform. The one before goes on working for 24 hours, older ones stop at once. The secret stays."
    },
    titles: {
      delete: "Delete this address?",
      disable: "Disable this address?",
      enable: "Enable this address?",
      rotate: "Replace this address?"
    }
  },
  {
    actions: { delete: "Excluir", disable: "Desligar", enable: "Ligar", rotate: "Trocar o endereço" },
    done: {
      delete: "O endereço foi excluído",
      disable: "O endereço está desligado",
      enable: "O endereço recebe vendas de novo",
      rotate: "Há um endereço novo: informe-o na plataforma em até 24 horas"
    },
    texts: {
      delete:
        "A plataforma recebe 404 a partir de então, e as vendas dela não deixam mais ninguém entrar. O que já chegou continua legível enquanto for guardado. Isto não pode ser desfeito.",
      disable:
        "A plataforma recebe 404 até você ligar de novo: enquanto isso as vendas dela não deixam ninguém entrar. A maioria das plataformas tenta de novo por um tempo.",
      enable: "Recebe o que a plataforma enviar a partir de agora.",
      rotate:
        "Um endereço novo é criado, que você informa na plataforma. O anterior continua por 24 horas, mais antigos param na hora. O segredo fica."
    },
    titles: {
      delete: "Excluir este endereço?",
      disable: "Desligar este endereço?",
      enable: "Ligar este endereço?",
      rotate: "Trocar este endereço?"
    }
  }
)

const run = (action: AddressAction, clubId: string, inboundWebhookId: string): Promise<unknown> => {
  const target = { clubId, inboundWebhookId }
  switch (action) {
    case "rotate":
      return turma.inboundWebhooks.rotateToken(target)
    case "delete":
      return turma.inboundWebhooks.remove(target)
    case "enable":
      return turma.inboundWebhooks.update({ ...target, body: { enabled: true } })
    case "disable":
      return turma.inboundWebhooks.update({ ...target, body: { enabled: false } })
  }
}

/** Acts on an address after the person has read the consequence. */
export const ConfirmAddress = ({ address, club, action, onClose }: {
  readonly club: Membership
  readonly address: Address
  readonly action: AddressAction
  readonly onClose: () => void
}) => (
  <Confirm
    title={said(words).titles[action]}
    action={said(words).actions[action]}
    isDangerous={action === "delete" || action === "disable"}
    done={said(words).done[action]}
    onClose={onClose}
    work={async () => {
      await run(action, club.organization_id, address.id)
      salesChanged(club)
    }}
  >
    <p dir="auto">
      <strong>{address.name}</strong>
    </p>
    <p>{said(words).texts[action]}</p>
  </Confirm>
)
