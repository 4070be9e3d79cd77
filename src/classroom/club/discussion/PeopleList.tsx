import { counted, number } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { Avatar } from "../../../browser/parts/Avatar.tsx"
import type { Person } from "../people.ts"

const words = spoken(
  {
    found: (count: number) => `${number(count)} ${counted(count, "person", "people")}. Choose with the arrow keys.`,
    people: "People to mention",
    staff: "Team"
  },
  {
    found: (count: number) => `${number(count)} ${counted(count, "pessoa", "pessoas")}. Escolha com as setas.`,
    people: "Pessoas para mencionar",
    staff: "Equipe"
  }
)

interface PeopleListProps {
  readonly id: string
  readonly people: ReadonlyArray<Person>
  /** The place of the marked person in the list. */
  readonly marked: number
  readonly choose: (person: Person) => void
}

/** The id of an entry of the list, for the field that controls it. */
export const optionId = (id: string, index: number): string => `${id}-${index}`

/** The people whose names begin with the text after an `@`. The focus stays in the field. */
export const PeopleList = ({ choose, id, marked, people }: PeopleListProps) => (
  <div class="people-list">
    <p class="visually-hidden" role="status">{said(words).found(people.length)}</p>
    <ul id={id} role="listbox" aria-label={said(words).people}>
      {people.map((person, index) => (
        <li
          key={person.id}
          id={optionId(id, index)}
          role="option"
          aria-selected={index === marked}
          // The field would lose the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => choose(person)}
        >
          <Avatar name={person.name} role={person.role} />
          <span dir="auto">{person.name}</span>
          {person.role === "staff" && <span class="soft small">{said(words).staff}</span>}
        </li>
      ))}
    </ul>
  </div>
)
