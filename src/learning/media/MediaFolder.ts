import { Schema } from "effect"
import { ApiError } from "../../platform/http/ApiError.ts"
import { field } from "../../platform/http/Field.ts"
import { text } from "../../platform/http/Text.ts"
import { Instant } from "../../platform/schema/Instant.ts"
import { FolderId } from "./Media.ts"

const about = "The folder's name; two may have the same"

/** A folder of the library. */
export class MediaFolder extends Schema.Class<MediaFolder>("MediaFolder")(Schema.Struct({
  id: FolderId.pipe(field("Names the folder on routes, and in `folder_id` of its media")),
  name: Schema.String.pipe(field(about, "Primeiro sopro")),
  created_at: Instant.pipe(field("When the folder was created"))
}).annotate({ description: "A folder of the library. Folders hold media and no other folders" })) {}

const Name = text(1, 120)

/** A folder of the library. */
export const CreateFolder = Schema.Struct({ name: Name.pipe(field(about, "Primeiro sopro")) })

/** Absent is unchanged. */
export const FolderPatch = Schema.Struct({ name: Schema.optionalKey(Name).pipe(field(about, "Primeiro sopro")) })

/** The club has no such folder. */
export class FolderUnknown extends ApiError<FolderUnknown>()("FolderUnknown", {
  status: 422,
  code: "folder_unknown",
  message: {
    en: "folder_id must be a folder that the club has",
    "pt-BR": "Esta pasta não existe neste clube."
  }
}) {}

/** There are media records in it. */
export class FolderInUse extends ApiError<FolderInUse>()("FolderInUse", {
  status: 409,
  code: "folder_in_use",
  message: {
    en: "There are media records in the folder: move them first",
    "pt-BR": "Há arquivos na pasta: mova-os antes."
  }
}) {}
