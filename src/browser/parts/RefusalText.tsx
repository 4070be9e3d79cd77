import { type Refusal, sentenceOf } from "../client/Refusals.ts"

/** A failure in the reader's language, and in the API's if that says more. */
export const RefusalText = ({ of }: { readonly of: Refusal }) => {
  const { english, text } = sentenceOf(of)
  return (
    <>
      {text}
      {text !== undefined && english !== undefined && " "}
      {english !== undefined && <span lang="en">{english}</span>}
    </>
  )
}
