/** Effect joins the descriptions of answers with the same status by this. */
const joint = " | "

/** The descriptions that Effect has joined. */
export const splitAlternatives = (description: string): ReadonlyArray<string> => description.split(joint)

/** The opposite of `splitAlternatives`. */
export const joinAlternatives = (descriptions: ReadonlyArray<string>): string => descriptions.join(joint)

/** Joined descriptions as a list in Markdown, for the document. A single one stays as it is. */
export const listAlternatives = (description: string): string => {
  const descriptions = splitAlternatives(description)
  return descriptions.length < 2 ? description : descriptions.map((one) => `- ${one}`).join("\n")
}

/** The descriptions in a list that `listAlternatives` has written. */
export const listedAlternatives = (description: string): ReadonlyArray<string> =>
  description.startsWith("- ") ? description.slice(2).split("\n- ") : [description]
