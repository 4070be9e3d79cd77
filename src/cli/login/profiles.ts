import { Effect } from "effect"
import { UsageError } from "../errors/UsageError.ts"
import { printRows } from "../output/Print.ts"
import { note } from "../output/Write.ts"
import { preferProfile, readProfiles, shownKey } from "../profile/Profiles.ts"
import { at } from "../remote/Shown.ts"

const columns = [
  { title: "", value: ({ latest }: { readonly latest: boolean }) => latest ? "*" : "" },
  at("NAME", "name"),
  at("CLUB", "club_name"),
  at("SERVICE", "url"),
  at("KEY", "key")
]

/** `turma profiles list` */
export const listProfiles = Effect.gen(function*() {
  const { latest, profiles } = yield* readProfiles
  const rows = Object.entries(profiles).map(([name, { club_id, club_name, key, url }]) => ({
    latest: name === latest,
    name,
    club_name,
    club_id,
    url,
    key: shownKey(key)
  }))
  yield* printRows<typeof rows[number]>(columns, rows, "No profiles: use npx turma login")
})

/** `turma profiles use` */
export const useProfile = Effect.fnUntraced(function*(name: string) {
  if (!(yield* preferProfile(name))) return yield* new UsageError({ message: `There is no profile ${name}` })
  yield* note(`Uses the profile ${name}`)
})
