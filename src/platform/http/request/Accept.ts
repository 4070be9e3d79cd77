const weigh = (range: string) => {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2)
  return { type, weight: weight === undefined ? 1 : Number(weight) }
}

/** Whether an `Accept` header asks for a page: browsers name `text/html`, programs do not, or like JSON better. */
export const prefersPage = (accept: string | undefined): boolean => {
  const ranges = (accept ?? "").split(",").map(weigh)
  const weightOf = (type: string) => ranges.find((range) => range.type === type)?.weight ?? 0
  return weightOf("text/html") > weightOf("application/json")
}
