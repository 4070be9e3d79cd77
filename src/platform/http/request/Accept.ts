const weigh = (range: string) => {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2)
  return { type, weight: weight === undefined ? 1 : Number(weight) }
}

/** True if an `Accept` header asks for a page. Browsers name `text/html`; programs omit it or prefer JSON. */
export const prefersPage = (accept: string | undefined): boolean => {
  const ranges = (accept ?? "").split(",").map(weigh)
  const weightOf = (type: string) => ranges.find((range) => range.type === type)?.weight ?? 0
  return weightOf("text/html") > weightOf("application/json")
}
