import { said, spoken } from "../../../../browser/client/Language.ts"
import { Badge, type Tone } from "../../../../browser/parts/Badge.tsx"
import type { Grading } from "../model/GradingWords.ts"

const words = spoken(
  { failed: "No grade", grade: (grade: string) => `Grade ${grade}`, running: "Probing" },
  { failed: "Sem nota", grade: (grade: string) => `Nota ${grade}`, running: "Testando" }
)

const tones: Readonly<Record<NonNullable<Grading["grade"]>, Tone>> = {
  A: "good",
  B: "warning",
  C: "warning",
  D: "bad",
  E: "bad",
  F: "bad"
}

/** The grade of a receiver, or a sign that it has no grade yet. */
export const GradeBadge = ({ of: { failure, grade } }: { readonly of: Pick<Grading, "failure" | "grade"> }) =>
  grade !== null
    ? <Badge tone={tones[grade]}>{said(words).grade(grade)}</Badge>
    : (
      <Badge tone={failure === null ? "waiting" : "quiet"}>
        {failure === null ? said(words).running : said(words).failed}
      </Badge>
    )
