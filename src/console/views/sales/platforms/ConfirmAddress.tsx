import { turma } from "../../../../browser/client/Api.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { Confirm } from "../../../../browser/parts/Dialog.tsx"
import type { Membership } from "../../../club/Session.ts"
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
        "From then on the platform gets 404, and its sales give no access. Received events stay readable while they are kept. This cannot be undone.",
      disable:
        "Until you enable it again, the platform gets 404 and its sales give no access. Most platforms try again for a while.",
      enable: "From now on it takes in what the platform sends.",
      rotate:
        "You get a new address to enter on the platform. The current address works for 24 more hours; older ones stop at once. The secret stays."
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
      rotate: "Endereço novo criado: informe-o na plataforma em até 24 horas"
    },
    texts: {
      delete:
        "A plataforma passa a receber 404, e as vendas dela não liberam mais acesso. O que já chegou pode ser consultado enquanto estiver guardado. Não dá para desfazer.",
      disable:
        "Até você ligar de novo, a plataforma recebe 404 e as vendas dela não liberam acesso. A maioria das plataformas tenta de novo por um tempo.",
      enable: "A partir de agora, recebe o que a plataforma enviar.",
      rotate:
        "Você recebe um endereço novo para informar na plataforma. O atual funciona por mais 24 horas; os mais antigos param na hora. O segredo continua o mesmo."
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
