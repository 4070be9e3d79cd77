import { said, spoken } from "../../../browser/client/Language.ts"
import { steadyAddress } from "../../../browser/client/SteadyAddress.ts"
import { Markdown } from "../../../browser/parts/Markdown.tsx"
import { AssignmentBlock } from "./AssignmentBlock.tsx"
import { FileLink } from "./FileLink.tsx"
import { HostedVideo } from "./HostedVideo.tsx"
import type { BlockOf, Lesson } from "./lesson.ts"
import { Player } from "./Player.tsx"
import { placeIn } from "./position.ts"
import { QuizBlock } from "./QuizBlock.tsx"
import type { Stage } from "./stage.ts"

const words = spoken(
  { gone: "This file is no longer there." },
  { gone: "Este arquivo não está mais disponível." }
)

/** Players of so many blocks load their first picture with the lesson. */
const mostNear = 3

type Block = Lesson["blocks"][number]

const plays = (block: Block) => block.kind === "video" || block.kind === "file" && block.media?.kind === "audio"

interface BlockProps {
  readonly block: Block
  readonly index: number
  readonly lesson: Lesson
  readonly stage: Stage
}

/** The student's place if it is in this block. A place without a block is in the first one that plays. */
const placeOf = (lesson: Lesson, block: Block) => {
  const place = placeIn(lesson.public_id, lesson.position)
  if (place === null) return undefined
  return place.block_id === block.id || place.block_id === null && lesson.blocks.find(plays) === block
    ? place
    : undefined
}

const Media = ({ block, index, lesson, stage }: BlockProps & { readonly block: BlockOf<"video" | "file"> }) => {
  const { embed_url, id, media } = block
  if (media === null) return <p class="notice">{said(words).gone}</p>
  if (embed_url !== null) return <HostedVideo address={embed_url} blockId={id} stage={stage} title={media.title} />
  if (media.kind === "image") {
    return <img class="shown-image" src={steadyAddress(id, media)} alt={media.title} {...sizeOf(media)} />
  }
  if (block.kind === "file" && media.kind !== "audio" && media.kind !== "video") return <FileLink media={media} />
  return (
    <Player
      media={media}
      blockId={id}
      lesson={lesson.public_id}
      place={placeOf(lesson, block)}
      stage={stage}
      isNear={index < mostNear}
    />
  )
}

const sizeOf = ({ height, width }: { readonly height: number | null; readonly width: number | null }) =>
  height === null || width === null ? {} : { height, width }

const Content = (props: BlockProps) => {
  const { block, lesson } = props
  switch (block.kind) {
    case "quiz":
      return <QuizBlock block={block} lesson={lesson} />
    case "assignment":
      return <AssignmentBlock block={block} lesson={lesson} />
    case "text":
      return (
        <>
          {block.title !== null && <h2 dir="auto">{block.title}</h2>}
          <Markdown text={block.body} images={block.images} />
        </>
      )
    default:
      return (
        <>
          {block.title !== null && <h2 dir="auto">{block.title}</h2>}
          <Media {...props} block={block} />
        </>
      )
  }
}

/** The blocks of a lesson, one below the other. */
export const Blocks = ({ lesson, stage }: { readonly lesson: Lesson; readonly stage: Stage }) => (
  <div class="blocks">
    {lesson.blocks.map((block, index) => (
      <div key={block.id} class={`block of-${block.kind}`} id={`block-${block.id}`}>
        <Content block={block} index={index} lesson={lesson} stage={stage} />
      </div>
    ))}
  </div>
)
