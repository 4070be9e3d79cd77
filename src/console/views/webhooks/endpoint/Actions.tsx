import { useSignal } from "@preact/signals"
import { turma } from "../../../../browser/client/Api.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { go } from "../../../../browser/client/Location.ts"
import { Confirm } from "../../../../browser/parts/Dialog.tsx"
import { TextField } from "../../../../browser/parts/Fields.tsx"
import { useForm } from "../../../../browser/parts/Form.ts"
import { MenuEntry, MoreMenu } from "../../../../browser/parts/Menu.tsx"
import type { Membership } from "../../../club/Session.ts"
import { clubPage } from "../../../club/View.ts"
import { type Diagnosis, type Endpoint, nameOf } from "../model/EndpointHealth.ts"
import { waitingOf } from "../model/EndpointSentence.ts"
import { limitOf } from "../model/Typed.ts"
import { endpointsChanged } from "../parts/Reads.ts"
import { sentenceContext } from "../parts/sentenceContext.ts"

type EndpointAction = "delete" | "disable" | "enable" | "pause"

interface ActionWords {
  readonly action: string
  readonly title: string
  readonly done: string
  /** The consequence. `waiting` says how many deliveries wait, if any does. */
  readonly text: (waiting: string | undefined) => string
}

const words = spoken<Record<EndpointAction, ActionWords>>(
  {
    delete: {
      action: "Delete",
      done: "The endpoint is deleted",
      text: (waiting) =>
        `${
          waiting === undefined ? "Nothing waits now. Its" : `Now ${waiting}: what waits is canceled, its`
        } secrets are erased, and nothing is sent to it again. What was sent stays readable by its event for 90 days. This cannot be undone.`,
      title: "Delete this endpoint?"
    },
    disable: {
      action: "Disable",
      done: "The endpoint is disabled",
      text: (waiting) =>
        `${
          waiting === undefined ? "Nothing waits now. New" : `Now ${waiting}: what waits is canceled, and new`
        } events are not kept for it. Once it is enabled again, what was canceled can be recovered for 30 days; events from the meantime cannot. To keep them, pause it instead.`,
      title: "Disable this endpoint?"
    },
    enable: {
      action: "Enable",
      done: "The endpoint is enabled",
      text: (waiting) =>
        `${
          waiting === undefined
            ? "Nothing waits now. Earlier"
            : `Now ${waiting}: what waits is sent, oldest first, and earlier`
        } failures are forgotten. What was canceled meanwhile stays canceled until you recover it.`,
      title: "Enable this endpoint?"
    },
    pause: {
      action: "Pause",
      done: "The endpoint is paused",
      text: (waiting) =>
        `${
          waiting === undefined ? "Nothing waits now. Nothing" : `Now ${waiting}: nothing`
        } is sent until you enable it, and new events wait too, each for 30 days at most. Nothing is lost until then.`,
      title: "Pause this endpoint?"
    }
  },
  {
    delete: {
      action: "Excluir",
      done: "O endpoint foi excluído",
      text: (waiting) =>
        `${
          waiting === undefined ? "Nada espera agora. Os" : `Agora ${waiting}: o que espera é cancelado, os`
        } segredos são apagados e nada mais é enviado a ele. O que foi enviado pode ser consultado pelo evento por 90 dias. Não dá para desfazer.`,
      title: "Excluir este endpoint?"
    },
    disable: {
      action: "Desativar",
      done: "O endpoint está desativado",
      text: (waiting) =>
        `${
          waiting === undefined ? "Nada espera agora. Eventos" : `Agora ${waiting}: o que espera é cancelado, e eventos`
        } novos não são guardados para ele. Quando for ativado de novo, o que foi cancelado pode ser recuperado por 30 dias; os eventos desse intervalo, não. Para guardar esses eventos, pause o endpoint em vez de desativar.`,
      title: "Desativar este endpoint?"
    },
    enable: {
      action: "Ativar",
      done: "O endpoint está ativo",
      text: (waiting) =>
        `${
          waiting === undefined
            ? "Nada espera agora. As"
            : `Agora ${waiting}: o que espera é enviado, do mais antigo ao mais novo, e as`
        } falhas anteriores são esquecidas. O que foi cancelado no intervalo continua cancelado até você recuperá-lo.`,
      title: "Ativar este endpoint?"
    },
    pause: {
      action: "Pausar",
      done: "O endpoint está pausado",
      text: (waiting) =>
        `${
          waiting === undefined ? "Nada espera agora. Nada" : `Agora ${waiting}: nada`
        } é enviado até você ativá-lo, e eventos novos também esperam, cada um por 30 dias no máximo. Até lá nada se perde.`,
      title: "Pausar este endpoint?"
    }
  }
)

const asked = spoken(
  {
    drain: "Most per second",
    drainHint:
      "Keeps waiting events from flooding the receiver. Until they are sent, new events go at that rate too. Empty: as fast as the receiver takes them.",
    typed: (name: string) => `To be sure, enter ${name}`
  },
  {
    drain: "Quantos por segundo, no máximo",
    drainHint:
      "Evita sobrecarregar o receptor com os eventos em espera. Até terminar, os eventos novos também vão nesse ritmo. Em branco: tão rápido quanto o receptor aceitar.",
    typed: (name: string) => `Para ter certeza, digite ${name}`
  }
)

const statuses = { disable: "disabled", enable: "enabled", pause: "paused" } as const

/** The actions that lose events. They stand in a menu, apart from the others. */
const lossesOf = ({ status }: Endpoint): ReadonlyArray<"delete" | "disable"> =>
  status === "disabled" ? ["delete"] : ["disable", "delete"]

const icons = { delete: "remove", disable: "stop" } as const

/** The part of a name that is typed to delete: hosts are long enough to think. */
const typedName = (endpoint: Endpoint) =>
  endpoint.kind === "https" ? new URL(endpoint.url).host : endpoint.id.slice(0, 8)

interface ActionsProps {
  readonly club: Membership
  readonly endpoint: Endpoint
  readonly diagnosis: Diagnosis
}

/** Pausing, disabling, enabling and deleting, each with what it will do to how many. */
export const Actions = ({ club, diagnosis, endpoint }: ActionsProps) => {
  const chosen = useSignal<EndpointAction | undefined>(undefined)
  const params = { clubId: club.organization_id, endpointId: endpoint.id }
  const mayDrain = endpoint.status === "paused" && endpoint.kind !== "listener" && diagnosis.queue_depth > 0
  const drain = useForm({
    values: { drain_rate: "" },
    send: (value) => {
      const drain_rate = mayDrain ? limitOf(value("drain_rate")) : null
      const body = { status: statuses.enable, ...(drain_rate === null ? {} : { drain_rate }) }
      return turma.webhookEndpoints.update({ ...params, body })
    }
  })
  const run = async (action: EndpointAction) => {
    if (action === "delete") {
      await turma.webhookEndpoints.remove(params)
      go(clubPage(club, "webhooks"), { replace: true })
    } else if (action === "enable") await drain.save()
    else await turma.webhookEndpoints.update({ ...params, body: { status: statuses[action] } })
    endpointsChanged(club)
  }
  const close = () => {
    drain.reset()
    chosen.value = undefined
  }
  const action = chosen.value
  const main = endpoint.status === "enabled" ? "pause" : "enable"
  return (
    <>
      <button type="button" class={main === "enable" ? "" : "quiet"} onClick={() => (chosen.value = main)}>
        {said(words)[main].action}
      </button>
      <MoreMenu>
        {lossesOf(endpoint).map((one) => (
          <MenuEntry
            key={one}
            icon={icons[one]}
            isDangerous
            label={said(words)[one].action}
            act={() => (chosen.value = one)}
          />
        ))}
      </MoreMenu>
      {action !== undefined && (
        <Confirm
          title={said(words)[action].title}
          action={said(words)[action].action}
          done={said(words)[action].done}
          isDangerous={action === "delete" || action === "disable"}
          {...(action === "delete"
            ? { typed: { label: said(asked).typed(typedName(endpoint)), text: typedName(endpoint) } }
            : {})}
          work={() => run(action)}
          onClose={close}
        >
          <p>
            <strong dir="auto">{nameOf(endpoint)}</strong>
          </p>
          <p>
            {said(words)[action]
              .text(diagnosis.queue_depth === 0 ? undefined : waitingOf(diagnosis, sentenceContext()))}
          </p>
          {action === "enable" && mayDrain && (
            <TextField
              form={drain}
              name="drain_rate"
              label={said(asked).drain}
              hint={said(asked).drainHint}
              type="number"
              min={1}
              max={1000}
            />
          )}
        </Confirm>
      )}
    </>
  )
}
