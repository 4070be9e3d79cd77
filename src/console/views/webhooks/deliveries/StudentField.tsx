import { useSignal } from "@preact/signals"
import { useId } from "preact/hooks"
import { turma } from "../../../client/Api.ts"
import { useDelayed } from "../../../client/Delayed.ts"
import { said, spoken } from "../../../client/Language.ts"
import { query, setQuery } from "../../../client/Location.ts"
import { useRead } from "../../../client/Reads.ts"
import type { Membership } from "../../../client/Session.ts"
import { Icon } from "../../../parts/Icon.tsx"

const words = spoken(
  {
    choose: "Students who fit",
    clear: (name: string) => `Show the deliveries of all students again, not of ${name} alone`,
    none: "Nobody fits",
    student: "Student",
    typed: "Name or address"
  },
  {
    choose: "Alunos que correspondem",
    clear: (name: string) => `Mostrar de novo os envios de todos os alunos, não só de ${name}`,
    none: "Ninguém corresponde",
    student: "Aluno",
    typed: "Nome ou endereço"
  }
)

/** How many students are offered. */
const offered = 8

/** In milliseconds: so long nothing was typed. */
const pause = 250

const choose = (student: string | undefined) => setQuery({ student })

const Chosen = ({ club, id }: { readonly club: Membership; readonly id: string }) => {
  const clubId = club.organization_id
  const { data } = useRead(
    `${clubId}/students/${id}`,
    (signal) => turma.students.get({ clubId, studentId: id }, { signal })
  )
  const name = data?.data.name ?? id
  return (
    <div class="field">
      <span>{said(words).student}</span>
      <button type="button" class="quiet" aria-label={said(words).clear(name)} onClick={() => choose(undefined)}>
        <span dir="auto">{name}</span>
        <Icon name="close" />
      </button>
    </div>
  )
}

const Search = ({ club }: { readonly club: Membership }) => {
  const clubId = club.organization_id
  const id = useId()
  const text = useSignal("")
  const search = useDelayed(text.value.trim(), pause)
  const found = useRead(
    search === "" ? undefined : `${clubId}/students?search=${search}&offered`,
    (signal) => turma.students.list({ clubId, search, limit: offered }, { signal })
  )
  return (
    <div class="field">
      <label for={id}>{said(words).student}</label>
      <input
        id={id}
        type="search"
        autocomplete="off"
        maxLength={100}
        placeholder={said(words).typed}
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
      />
      <div role="status">
        {found.data?.data.length === 0 && <span class="soft small">{said(words).none}</span>}
      </div>
      {found.data !== undefined && found.data.data.length > 0 && (
        <ul class="plain-list found-students" aria-label={said(words).choose}>
          {found.data.data.map((student) => (
            <li key={student.id}>
              <button
                type="button"
                class="quiet"
                onClick={() => choose(student.id)}
              >
                <span dir="auto">{student.name}</span> <span class="soft small">{student.email}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Whose deliveries are listed: searched by name or address, kept in the address of the page by id. */
export const StudentField = ({ club }: { readonly club: Membership }) => {
  const chosen = query.value.get("student") ?? ""
  return chosen === "" ? <Search club={club} /> : <Chosen club={club} id={chosen} />
}
