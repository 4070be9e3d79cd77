/** A rule and the cases that broke it; undefined if it was not tried. */
export type Rule = readonly [rule: string, exceptions: ReadonlyArray<string> | undefined]

/** The line about a rule: its result, and some of the cases that broke it. */
export const verdictOf = ([rule, exceptions]: Rule): string => {
  if (exceptions === undefined) return `not tried  ${rule}`
  const broken = exceptions.slice(0, 5).map((each) => `\n      ${each}`).join("")
  return `${exceptions.length === 0 ? "yes" : `NO (${exceptions.length})`}  ${rule}${broken}`
}

/** The number of broken rules, and the last line, which names the rules that were not tried. */
export const conclusionOf = (rules: ReadonlyArray<Rule>): { readonly broken: number; readonly text: string } => {
  const broken = rules.filter(([, exceptions = []]) => exceptions.length > 0).length
  const untried = rules.filter(([, exceptions]) => exceptions === undefined).map(([rule]) => `"${rule}"`)
  const kept = broken > 0 ? `${broken} rules are broken` : `All ${rules.length - untried.length} rules held`
  return { broken, text: untried.length === 0 ? kept : `${kept}; NOT TRIED: ${untried.join(", ")}` }
}
