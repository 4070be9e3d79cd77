import { useSignal } from "@preact/signals"
import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { allOf } from "../../../browser/client/Lists.ts"
import { changed, useRead } from "../../../browser/client/Reads.ts"
import { Confirm, Dialog } from "../../../browser/parts/Dialog.tsx"
import { TextField } from "../../../browser/parts/Fields.tsx"
import { useForm } from "../../../browser/parts/Form.ts"
import { MenuEntry, MoreMenu } from "../../../browser/parts/Menu.tsx"
import { Empty, Shown } from "../../../browser/parts/States.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { clubField, clubHint, clubMoment, clubTime, useOfClub } from "../../club/ClubZone.ts"
import { may } from "../../club/Rights.ts"
import type { Membership } from "../../club/Session.ts"
import { ofClub } from "../../club/View.ts"

const words = spoken(
  {
    cohorts: "Cohorts",
    create: "New cohort",
    edit: "Edit",
    editOf: (name: string) => `Edit ${name}`,
    empty: "There are no cohorts",
    emptyText:
      "A cohort groups students who begin and end together. Grants, products and registration links can name one.",
    end: "Access ends",
    endHint: "Empty: as the delivery says. It applies to later accesses.",
    from: (moment: string) => `from ${moment}`,
    name: "Name",
    remove: "Delete",
    removeAction: "Delete the cohort",
    removed: "The cohort is deleted",
    removeGoes: "If an access, a product or a registration link names it, it stays and you get a message.",
    removeOf: (name: string) => `Delete ${name}`,
    removeTitle: "Delete this cohort?",
    save: "Save",
    saved: "Saved",
    start: "Access begins",
    startHint: "Empty: with the grant.",
    until: (moment: string) => `until ${moment}`
  },
  {
    cohorts: "Turmas",
    create: "Nova turma",
    edit: "Editar",
    editOf: (name: string) => `Editar ${name}`,
    empty: "Não há turmas",
    emptyText:
      "Uma turma reúne alunos que começam e terminam juntos. Acessos, produtos e links de inscrição podem indicar uma.",
    end: "O acesso termina",
    endHint: "Em branco: como diz a entrega. Vale para os próximos acessos.",
    from: (moment: string) => `de ${moment}`,
    name: "Nome",
    remove: "Excluir",
    removeAction: "Excluir a turma",
    removed: "A turma foi excluída",
    removeGoes: "Se um acesso, um produto ou um link de inscrição usar esta turma, ela fica e você vê um aviso.",
    removeOf: (name: string) => `Excluir ${name}`,
    removeTitle: "Excluir esta turma?",
    save: "Salvar",
    saved: "Salvo",
    start: "O acesso começa",
    startHint: "Em branco: quando o acesso é dado.",
    until: (moment: string) => `até ${moment}`
  }
)

type Cohort = Schemas["Cohort"]

interface CohortsProps {
  readonly club: Membership
  readonly deliveryId: string
}

const momentOf = (text: string) => text === "" ? null : clubMoment(text)

const CohortDialog = (
  { after, club, cohort, deliveryId, onClose }: CohortsProps & {
    readonly cohort: Cohort | undefined
    readonly after: () => void
    readonly onClose: () => void
  }
) => {
  const form = useForm({
    of: useOfClub(cohort),
    values: { name: cohort?.name ?? "", starts_at: clubField(cohort?.starts_at), ends_at: clubField(cohort?.ends_at) },
    send: async (value) => {
      const body = {
        name: value("name"),
        starts_at: momentOf(value("starts_at")),
        ends_at: momentOf(value("ends_at"))
      }
      const params = { ...ofClub(club), deliveryId }
      await (cohort === undefined
        ? turma.deliveries.createCohort({ ...params, body })
        : turma.deliveries.updateCohort({ ...params, cohortId: cohort.id, body: form.changes(body) }))
      after()
      onClose()
    },
    done: said(words).saved
  })
  return (
    <Dialog title={cohort?.name ?? said(words).create} onClose={onClose}>
      <form class="stack" onSubmit={form.submit}>
        <TextField form={form} name="name" label={said(words).name} required maxLength={120} autofocus />
        <TextField
          form={form}
          name="starts_at"
          label={said(words).start}
          hint={clubHint(said(words).startHint)}
          type="datetime-local"
        />
        <TextField
          form={form}
          name="ends_at"
          label={said(words).end}
          hint={clubHint(said(words).endHint)}
          type="datetime-local"
        />
        <div class="actions">
          <button type="submit" disabled={cohort !== undefined && !form.isChanged} aria-busy={form.isRunning}>
            {said(words).save}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

const timesOf = ({ ends_at, starts_at }: Cohort) =>
  [
    starts_at === null ? "" : said(words).from(clubTime(starts_at)),
    ends_at === null ? "" : said(words).until(clubTime(ends_at))
  ].join(" ").trim()

/** The cohorts of a delivery. */
export const Cohorts = ({ club, deliveryId }: CohortsProps) => {
  /** The cohort that is edited, by its id; empty for a new one. */
  const editing = useSignal<string | undefined>(undefined)
  const removing = useSignal<Cohort | undefined>(undefined)
  const mayTeach = may(club.role, "teach")
  const key = `${club.organization_id}/cohorts/${deliveryId}`
  const cohorts = useRead(
    key,
    (signal) => allOf(turma.deliveries.listCohorts({ ...ofClub(club), deliveryId, limit: 100 }, { signal }))
  )
  const edited = cohorts.data?.find(({ id }) => id === editing.value)
  const after = () => changed(key)
  return (
    <section class="stack" aria-labelledby="cohorts">
      <div class="line">
        <h2 id="cohorts">{said(words).cohorts}</h2>
        {mayTeach && (
          <button type="button" class="quiet" onClick={() => (editing.value = "")}>{said(words).create}</button>
        )}
      </div>
      <Shown read={cohorts}>
        {(all) =>
          all.length === 0
            ? <Empty icon="people" title={said(words).empty}>{said(words).emptyText}</Empty>
            : (
              <ul class="plain-list stack">
                {all.map((cohort) => (
                  <li key={cohort.id} class="line">
                    <div class="line-words">
                      <span dir="auto">{cohort.name}</span>
                      <span class="soft small">{timesOf(cohort)}</span>
                    </div>
                    {mayTeach && (
                      <div class="actions">
                        <button
                          type="button"
                          class="quiet"
                          aria-label={said(words).editOf(cohort.name)}
                          onClick={() => (editing.value = cohort.id)}
                        >
                          {said(words).edit}
                        </button>
                        <MoreMenu of={cohort.name}>
                          <MenuEntry
                            icon="remove"
                            isDangerous
                            label={said(words).remove}
                            name={said(words).removeOf(cohort.name)}
                            act={() => (removing.value = cohort)}
                          />
                        </MoreMenu>
                      </div>
                    )}
                  </li>
                ))}
              </ul>
            )}
      </Shown>
      {(editing.value === "" || edited !== undefined) && (
        <CohortDialog
          club={club}
          deliveryId={deliveryId}
          cohort={edited}
          after={after}
          onClose={() => (editing.value = undefined)}
        />
      )}
      {removing.value !== undefined && (
        <Confirm
          title={said(words).removeTitle}
          action={said(words).removeAction}
          isDangerous
          done={said(words).removed}
          work={async () => {
            const cohortId = removing.peek()?.id ?? ""
            await turma.deliveries.removeCohort({ ...ofClub(club), deliveryId, cohortId })
            after()
          }}
          onClose={() => (removing.value = undefined)}
        >
          <p dir="auto">{removing.value.name}</p>
          <p>{said(words).removeGoes}</p>
        </Confirm>
      )}
    </section>
  )
}
