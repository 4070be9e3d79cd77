import { DateTime, Option } from "effect"

const pattern = /^turma-([0-9a-f]{8})-(\d{8}T\d{6}Z)\.turma$/
const erasuresPattern = /^turma-([0-9a-f]{8})-(\d{8}T\d{6}Z)-[0-9a-f]{8}\.erasures\.ndjson$/

const stampOf = (at: DateTime.Utc) => DateTime.formatIso(at).replaceAll(/[:-]|\.\d{3}/g, "")

/** The name of a backup among others: its installation, and the time of its start. Names sort by time. */
export const backupName = (series: string, at: DateTime.Utc): string => `turma-${series}-${stampOf(at)}.turma`

/** The name of a list of removals that is kept beside them, written at this moment. `tag`: 8 digits of its own. */
export const erasuresName = (series: string, at: DateTime.Utc, tag: string): string =>
  `turma-${series}-${stampOf(at)}-${tag}.erasures.ndjson`

/** True if this is a name that `backupName` gives. */
export const isBackupName = (name: string): boolean => pattern.test(name)

/** True if this is a name that `erasuresName` gives. */
export const isErasuresName = (name: string): boolean => erasuresPattern.test(name)

const partsOf = (name: string) => pattern.exec(name) ?? erasuresPattern.exec(name)

/** The installation in a name; undefined for a name that is not ours. */
export const seriesOfName = (name: string): string | undefined => partsOf(name)?.[1]

/** The start of the backup with this name; undefined for a name that is not ours. */
export const timeOfName = (name: string): DateTime.Utc | undefined => {
  const stamp = partsOf(name)?.[2]
  const iso = stamp?.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z")
  return iso === undefined ? undefined : Option.getOrUndefined(DateTime.make(iso))
}

const suffix = ".unverified"

/** The name of what says that a backup was not verified: it is there before the backup, and gone once that is good. */
export const markOf = (name: string): string => `${name}${suffix}`

/** Marks of this installation without their backup, from before a moment: a run died between the two. */
export const marksLeft = (
  names: ReadonlyArray<string>,
  series: string,
  before: DateTime.Utc
): ReadonlyArray<string> => {
  const there = new Set(names)
  const oldest = backupName(series, before)
  return names.filter((name) => {
    const own = name.slice(0, -suffix.length)
    return name.endsWith(suffix) && seriesOfName(own) === series && own < oldest && !there.has(own)
  })
}

/**
 * The backups that may be deleted. The last `keep` verified ones of this installation stay. Of the others the newest
 * stays, if it is newer than the oldest of these. Backups of another installation and files with other names stay. The
 * new backup always stays, whatever the clock said for the others.
 */
export const surplus = (
  stored: ReadonlyArray<{ readonly name: string; readonly isVerified: boolean }>,
  { keep, made, series }: { readonly keep: number; readonly made: string; readonly series: string }
): ReadonlyArray<string> => {
  const others = stored.filter(({ name }) => seriesOfName(name) === series && name !== made)
  const namesOf = (isVerified: boolean) =>
    others.filter((other) => other.isVerified === isVerified).map(({ name }) => name).toSorted()
  const [good, unverified] = [namesOf(true), namesOf(false)]
  const first = Math.max(0, good.length - Math.max(0, keep - 1))
  const oldest = good[first] ?? made
  const newest = unverified.at(-1)
  return [...good.slice(0, first), ...unverified.filter((name) => name !== newest || name < oldest)].toSorted()
}
