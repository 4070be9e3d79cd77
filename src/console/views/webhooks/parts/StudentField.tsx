import { useSignal } from "@preact/signals"
import { useId, useRef } from "preact/hooks"
import { turma } from "../../../../browser/client/Api.ts"
import { typingPause, useDelayed } from "../../../../browser/client/Delayed.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { query, setQuery } from "../../../../browser/client/Location.ts"
import { useRead } from "../../../../browser/client/Reads.ts"
import { Icon } from "../../../../browser/parts/Icon.tsx"
import { RefusalText } from "../../../../browser/parts/RefusalText.tsx"
import type { Membership } from "../../../club/Session.ts"
import { useStudent } from "../../../club/Student.ts"

const words = spoken(
  {
    choose: "Matching students",
    clear: (name: string) => `Show all students again, not only ${name}`,
    none: "No student matches",
    student: "Student",
    typed: "Name or address"
  },
  {
    choose: "Alunos encontrados",
    clear: (name: string) => `Mostrar de novo todos os alunos, não só ${name}`,
    none: "Nenhum aluno encontrado",
    student: "Aluno",
    typed: "Nome ou e-mail"
  }
)

/** Number of students offered. */
const offered = 8

const choose = (student: string | undefined) => setQuery({ student })

const Chosen = ({ club, id }: { readonly club: Membership; readonly id: string }) => {
  const name = useStudent(club, id).data?.name ?? id
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
  const search = useDelayed(text.value.trim(), typingPause)
  const { data, error } = useRead(
    search === "" ? undefined : `${clubId}/students?search=${search}&offered`,
    async (signal) => (await turma.students.list({ clubId, search, limit: offered }, { signal })).data
  )
  // Until the next are found, those that were found before are still there.
  const before = useRef(data)
  if (data !== undefined || error !== undefined || search === "") before.current = data
  const found = before.current
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
        {found?.length === 0 && <span class="soft small">{said(words).none}</span>}
        {error !== undefined && (
          <p class="wrong">
            <RefusalText of={error} />
          </p>
        )}
      </div>
      {found !== undefined && found.length > 0 && (
        <ul class="plain-list found-students" aria-label={said(words).choose}>
          {found.map((student) => (
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

/** About which student a list is: searched by name or address, kept in the address of the page by id. */
export const StudentField = ({ club }: { readonly club: Membership }) => {
  const chosen = query.value.get("student") ?? ""
  return chosen === "" ? <Search club={club} /> : <Chosen club={club} id={chosen} />
}
