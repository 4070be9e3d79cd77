import { DateTime } from "effect"

const pattern = /^turma-([0-9a-f]{8})-(\d{8}T\d{6}Z)\.turma$/

/** The name of a backup that is kept beside others: of which installation it is, and when it was begun. They sort by time. */
export const backupName = (series: string, at: DateTime.Utc): string =>
  `turma-${series}-${DateTime.formatIso(at).replaceAll(/[:-]|\.\d{3}/g, "")}.turma`

/** Whether this is a name that `backupName` gives. */
export const isBackupName = (name: string): boolean => pattern.test(name)

/** Which installation it is of; undefined for a name that is none of ours. */
export const seriesOfName = (name: string): string | undefined => pattern.exec(name)?.[1]

/**
 * Which of these may go, so that the last `keep` of this installation's stay: none of another's, none of another name, and
 * never the one that was just made, whatever a clock said when the others were.
 */
export const surplus = (
  names: ReadonlyArray<string>,
  { keep, made, series }: { readonly keep: number; readonly made: string; readonly series: string }
): ReadonlyArray<string> => {
  const others = names.filter((name) => seriesOfName(name) === series && name !== made).toSorted()
  return others.slice(0, Math.max(0, others.length - Math.max(0, keep - 1)))
}
