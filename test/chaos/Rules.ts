/** What has to hold, and what broke it; undefined where it was not tried. */
export type Rule = readonly [rule: string, exceptions: ReadonlyArray<string> | undefined]

/** What is said of a rule: whether it held, and some of what broke it. */
export const verdictOf = ([rule, exceptions]: Rule): string => {
  if (exceptions === undefined) return `not tried  ${rule}`
  const broken = exceptions.slice(0, 5).map((each) => `\n      ${each}`).join("")
  return `${exceptions.length === 0 ? "yes" : `NO (${exceptions.length})`}  ${rule}${broken}`
}

/** How many rules are broken, and the last line: it names what was not tried. */
export const conclusionOf = (rules: ReadonlyArray<Rule>): { readonly broken: number; readonly text: string } => {
  const broken = rules.filter(([, exceptions = []]) => exceptions.length > 0).length
  const untried = rules.filter(([, exceptions]) => exceptions === undefined).map(([rule]) => `"${rule}"`)
  const kept = broken > 0 ? `${broken} rules are broken` : `All ${rules.length - untried.length} rules held`
  return { broken, text: untried.length === 0 ? kept : `${kept}; NOT TRIED: ${untried.join(", ")}` }
}
