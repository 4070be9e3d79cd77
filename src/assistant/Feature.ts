import { Duration, Layer } from "effect"
import { agentOpening } from "./AgentOpening.ts"
import { Agents } from "./Agents.ts"
import { AnswerStreams } from "./ask/AnswerStreams.ts"
import { askEraser, sweepAssistantDays } from "./ask/AskEraser.ts"
import { Asks } from "./ask/Asks.ts"
import { Conversations } from "./ask/Conversations.ts"
import { AssistantLayer } from "./AssistantLayer.ts"
import { AgentsHttp, AskHttp, AssistantRepliesHttp } from "./Http.ts"
import { TranscriptsHttp } from "./material/Http.ts"
import { Material } from "./material/Material.ts"
import { MaterialChanges } from "./material/MaterialChanges.ts"
import { materialWorkerLayer } from "./material/MaterialIndex.ts"
import { readsLessons, readsMedia } from "./material/MaterialReactions.ts"
import { Readings } from "./material/Readings.ts"
import { Transcripts } from "./material/Transcripts.ts"
import { Replies } from "./replies/Replies.ts"
import { AssistantWorkersLayer } from "./Workers.ts"

/** Answers to students, with sources, and the material that they are made of. */
export const assistant = {
  services: Layer.mergeAll(
    Agents.layer,
    AnswerStreams.layer,
    Asks.layer,
    Conversations.layer,
    Readings.layer,
    Replies.layer,
    Transcripts.layer
  ).pipe(
    Layer.provideMerge(AssistantLayer),
    Layer.provideMerge(Material.layer),
    Layer.provideMerge(MaterialChanges.layer)
  ),
  routes: Layer.mergeAll(AgentsHttp, AskHttp, AssistantRepliesHttp, TranscriptsHttp),
  workers: Layer.merge(AssistantWorkersLayer, materialWorkerLayer({ every: Duration.seconds(1) })),
  opening: agentOpening,
  erasers: [askEraser],
  lessonReaction: readsLessons,
  mediaReaction: readsMedia,
  sweeps: { "counts of questions": sweepAssistantDays }
}
