import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { turma } from "../../browser/client/Api.ts"
import { typingPause, useDelayed } from "../../browser/client/Delayed.ts"
import { said, spoken } from "../../browser/client/Language.ts"
import { go } from "../../browser/client/Location.ts"
import { useRead } from "../../browser/client/Reads.ts"
import { idIn } from "../club/Ids.ts"
import { may } from "../club/Rights.ts"
import type { Membership } from "../club/Session.ts"
import { clubPage, type Command } from "../club/View.ts"

// The palette's finds in a club besides commands: students, types of events, and events by their id.

const words = spoken(
  {
    deliveries: (type: string) => `Deliveries of ${type}`,
    event: (id: string) => `Event ${id}`,
    student: (id: string) => `Student ${id}`
  },
  {
    deliveries: (type: string) => `Envios de ${type}`,
    event: (id: string) => `Evento ${id}`,
    student: (id: string) => `Aluno ${id}`
  }
)

/** In letters: less finds everybody. */
const least = 2

/** Number of students shown. A list has the others. */
const most = 6

const types = signal<ReadonlyArray<string>>([])

const loadTypes = async () => {
  try {
    const { typeWords } = await import("../views/webhooks/settings/typeWords.ts")
    types.value = Object.keys(typeWords)
  } catch {
    // The next palette asks again, and until then there are the commands.
  }
}

const byId = (club: Membership, text: string): ReadonlyArray<Command> => {
  const id = idIn(text)
  if (id === undefined) return []
  return [
    ...may(club.role, "administer")
      ? [{ label: said(words).event(id), run: () => go(clubPage(club, "webhooks", "events", id)) }]
      : [],
    { label: said(words).student(id), run: () => go(clubPage(club, "students", id)) }
  ]
}

const byType = (club: Membership, text: string): ReadonlyArray<Command> =>
  !may(club.role, "administer") || text.length < least ? [] : types.value
    .filter((type) => type.includes(text.toLowerCase()))
    .map((type) => ({
      label: said(words).deliveries(type),
      run: () => go(`${clubPage(club, "webhooks", "deliveries")}?type=${type}`)
    }))

/** The finds of a text in a club, and whether more may come. */
export const useFinding = (
  club: Membership | undefined,
  entered: string
): { readonly found: ReadonlyArray<Command>; readonly isLooking: boolean } => {
  const text = entered.trim()
  const settled = useDelayed(text, typingPause)
  const isAsked = club !== undefined && settled.length >= least && idIn(settled) === undefined
  const { data = [], isLoading } = useRead(
    isAsked ? `${club.organization_id}/students?found=${settled}` : undefined,
    async (signal) => {
      const params = { clubId: club?.organization_id ?? "", search: settled.slice(0, 100), limit: most }
      return (await turma.students.list(params, { signal })).data
    }
  )
  useEffect(() => {
    if (types.peek().length === 0) void loadTypes()
  }, [])
  if (club === undefined) return { found: [], isLooking: false }
  const students = isAsked && settled === text
    ? data.map(({ email, id, name }) => ({
      label: `${name} · ${email}`,
      run: () => go(clubPage(club, "students", id))
    }))
    : []
  return {
    // Students come last, since they come later: what is already shown stays where it is.
    found: [...byId(club, text), ...byType(club, text), ...students],
    isLooking: text.length >= least && (settled !== text || isLoading)
  }
}
