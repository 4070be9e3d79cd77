import { Layer } from "effect"
import { MentorshipFilesHttp } from "./Http.ts"
import { MentorshipFiles } from "./MentorshipFiles.ts"

/** Files of mentorships. */
export const mentorships = { services: MentorshipFiles.layer, routes: MentorshipFilesHttp, workers: Layer.empty }
