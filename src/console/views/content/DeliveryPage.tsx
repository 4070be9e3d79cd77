import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { counted, number } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { go } from "../../../browser/client/Location.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { Badge } from "../../../browser/parts/Badge.tsx"
import { Confirm } from "../../../browser/parts/Dialog.tsx"
import { CheckField, TextField } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import { MenuEntry, MoreMenu } from "../../../browser/parts/Menu.tsx"
import { PageHead } from "../../../browser/parts/PageHead.tsx"
import { Shown } from "../../../browser/parts/States.tsx"
import { attempt } from "../../../browser/parts/Toasts.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { may } from "../../club/Rights.ts"
import type { Membership } from "../../club/Session.ts"
import { clubPage, type ClubViewProps, ofClub } from "../../club/View.ts"
import { Cohorts } from "./Cohorts.tsx"
import { DeliveryItems } from "./DeliveryItems.tsx"
import { contentWords, givesAll } from "./shared.ts"

const words = spoken(
  {
    archive: "Archive",
    archived: "Archived",
    archivedSentence: "It cannot be granted any more; students who have it keep it.",
    archiveGoes: "It cannot be granted or sold any more. Students who have it keep it. It can be restored.",
    archiveTitle: "Archive this delivery?",
    back: "Restore",
    days: "Days an access lasts",
    daysHint: "Empty: until its cohort ends, or without end. It applies to later accesses.",
    daysSentence: (days: number) => counted(days, "An access lasts 1 day.", `An access lasts ${number(days)} days.`),
    done: "Saved",
    facts: "What it is",
    forGood: "An access has no end.",
    free: "Free: every student of the club gets it, later ones too",
    freeSentence: "Every student of the club gets it.",
    grantedSentence: "Students get it by a sale, a grant or a registration link.",
    name: "Name",
    remove: "Delete",
    removeAction: "Delete the delivery",
    removed: "The delivery is deleted",
    removeGoes:
      "Its cohorts are deleted too. If an access, a product or a registration link names it, it stays: archive it instead.",
    removeTitle: "Delete this delivery?",
    save: "Save"
  },
  {
    archive: "Arquivar",
    archived: "Arquivada",
    archivedSentence: "Ninguém mais pode receber esta entrega; quem já tem continua com ela.",
    archiveGoes: "Ninguém mais pode receber nem comprar esta entrega. Quem já tem continua com ela. Dá para restaurar.",
    archiveTitle: "Arquivar esta entrega?",
    back: "Restaurar",
    days: "Duração do acesso, em dias",
    daysHint: "Em branco: até o fim da turma ou para sempre. Vale para os próximos acessos.",
    daysSentence: (days: number) => counted(days, "O acesso dura 1 dia.", `O acesso dura ${number(days)} dias.`),
    done: "Salvo",
    facts: "O que é",
    forGood: "O acesso dura para sempre.",
    free: "Grátis: todo aluno do clube recebe, inclusive os novos",
    freeSentence: "Todo aluno do clube recebe.",
    grantedSentence: "Os alunos recebem por uma venda, um link de inscrição ou uma liberação manual.",
    name: "Nome",
    remove: "Excluir",
    removeAction: "Excluir a entrega",
    removed: "A entrega foi excluída",
    removeGoes:
      "As turmas dela também são excluídas. Se um acesso, um produto ou um link de inscrição usar a entrega, ela fica: nesse caso, arquive.",
    removeTitle: "Excluir esta entrega?",
    save: "Salvar"
  }
)

interface DeliveryProps {
  readonly club: Membership
  readonly delivery: Schemas["Delivery"]
}

const keyOf = (club: Membership, id: string) => `${club.organization_id}/deliveries/${id}`

/** Also reads every list with this delivery anew. */
const deliveriesChanged = (club: Membership) => changed(`${club.organization_id}/deliveries`)

const sentenceOf = ({ archived, default_access_days: days, free }: Schemas["Delivery"]) =>
  [
    free ? said(words).freeSentence : said(words).grantedSentence,
    days === null ? said(words).forGood : said(words).daysSentence(days),
    archived ? said(words).archivedSentence : ""
  ].join(" ")

const Facts = ({ club, delivery }: DeliveryProps) => {
  const isAsked = useSignal(false)
  const form = useForm({
    of: delivery,
    values: {
      name: delivery.name,
      default_access_days: String(delivery.default_access_days ?? ""),
      free: delivery.free ? "true" : ""
    },
    send: async (value) => {
      const days = value("default_access_days")
      await turma.deliveries.update({
        ...ofClub(club),
        deliveryId: delivery.id,
        body: form.changes({
          name: value("name"),
          default_access_days: days === "" ? null : Number(days),
          free: value("free") === "true"
        })
      })
      deliveriesChanged(club)
    },
    done: said(words).done
  })
  const submit = (event: Event) => {
    event.preventDefault()
    if (form.value("free") === "true" && !delivery.free) isAsked.value = true
    else void form.submit(event)
  }
  return (
    <>
      <form class="card stack narrow" onSubmit={submit}>
        <h2>{said(words).facts}</h2>
        <TextField form={form} name="name" label={said(words).name} required maxLength={120} />
        <TextField
          form={form}
          name="default_access_days"
          label={said(words).days}
          hint={said(words).daysHint}
          type="number"
          min={1}
          max={36_500}
        />
        <CheckField form={form} name="free" label={said(words).free} />
        <div class="actions">
          <button type="submit" disabled={!form.isChanged} aria-busy={form.isRunning}>{said(words).save}</button>
        </div>
      </form>
      {isAsked.value && (
        <Confirm
          title={said(givesAll).title}
          action={said(givesAll).action}
          work={form.save}
          onClose={() => (isAsked.value = false)}
        >
          <p>{said(givesAll).text(form.value("name"))}</p>
        </Confirm>
      )}
    </>
  )
}

const Actions = ({ club, delivery }: DeliveryProps) => {
  const isOpen = useSignal<"" | "archive" | "remove">("")
  const close = () => (isOpen.value = "")
  const params = { ...ofClub(club), deliveryId: delivery.id }
  const { archived } = delivery
  const setArchived = async () => {
    await turma.deliveries.update({ ...params, body: { archived: !archived } })
    deliveriesChanged(club)
  }
  return (
    <>
      <MoreMenu>
        <MenuEntry
          icon="folder"
          label={archived ? said(words).back : said(words).archive}
          act={() => archived ? void attempt(setArchived, said(words).done) : (isOpen.value = "archive")}
        />
        <MenuEntry icon="remove" isDangerous label={said(words).remove} act={() => (isOpen.value = "remove")} />
      </MoreMenu>
      {isOpen.value === "archive" && (
        <Confirm
          title={said(words).archiveTitle}
          action={said(words).archive}
          done={said(words).done}
          work={setArchived}
          onClose={close}
        >
          <p>{said(words).archiveGoes}</p>
        </Confirm>
      )}
      {isOpen.value === "remove" && (
        <Confirm
          title={said(words).removeTitle}
          action={said(words).removeAction}
          isDangerous
          done={said(words).removed}
          work={async () => {
            await turma.deliveries.remove(params)
            go(clubPage(club, "content", "deliveries"), { replace: true })
            changed(`${club.organization_id}/deliveries?`)
          }}
          onClose={close}
        >
          <p>{said(words).removeGoes}</p>
        </Confirm>
      )}
    </>
  )
}

/** A delivery: its items, the length of its access, and its cohorts. */
export default function DeliveryPage({ club, params }: ClubViewProps) {
  const deliveryId = params["delivery"] ?? ""
  const mayTeach = may(club.role, "teach")
  const delivery = useRead(
    keyOf(club, deliveryId),
    (signal) => turma.deliveries.get({ ...ofClub(club), deliveryId }, { signal })
  )
  return (
    <Shown read={delivery}>
      {({ data }) => (
        <>
          <PageHead
            title={data.name}
            badge={data.archived && <Badge tone="quiet">{said(words).archived}</Badge>}
            above={[{ label: said(contentWords).deliveries, to: clubPage(club, "content", "deliveries") }]}
            actions={mayTeach && <Actions club={club} delivery={data} />}
          >
            {sentenceOf(data)}
          </PageHead>
          <DeliveryItems club={club} delivery={data} after={() => deliveriesChanged(club)} />
          <Cohorts club={club} deliveryId={deliveryId} />
          {mayTeach && <Facts club={club} delivery={data} />}
        </>
      )}
    </Shown>
  )
}
