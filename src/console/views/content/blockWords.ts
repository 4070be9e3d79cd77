import { said, spoken } from "../../../browser/client/Language.ts"
import type { IconName } from "../../../browser/parts/icons.ts"
import type { Schemas } from "../../../sdk/index.ts"

/** A part of a lesson. */
export type Block = Schemas["Block"]

/** The picture of each kind. */
export const blockIcons = {
  assignment: "write",
  file: "file",
  quiz: "help",
  text: "document",
  video: "play"
} as const satisfies Record<Block["kind"], IconName>

/** The kinds of blocks, in the order of the menu. */
export const blockKinds: ReadonlyArray<Block["kind"]> = ["text", "video", "file", "quiz", "assignment"]

const words = spoken<Record<Block["kind"], string>>(
  { assignment: "Assignment", file: "File", quiz: "Quiz", text: "Text", video: "Video" },
  { assignment: "Tarefa", file: "Arquivo", quiz: "Questionário", text: "Texto", video: "Vídeo" }
)

/** A kind of block in a word. */
export const blockName = (kind: Block["kind"]): string => said(words)[kind]

/** The name of a block in messages about its move: its title, or its kind. */
export const blockTitle = ({ kind, title }: Pick<Block, "kind" | "title">): string => title ?? blockName(kind)
