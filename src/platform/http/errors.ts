import { ApiError } from "./ApiError.ts"

/** The body does not parse. */
export class MalformedRequest extends ApiError<MalformedRequest>()("MalformedRequest", {
  status: 400,
  code: "malformed_request",
  message: {
    en: "The body is not valid JSON",
    "pt-BR": "Não foi possível ler a requisição."
  }
}) {}

/** The thing does not exist, or this session may not know of it. */
export class NotFound extends ApiError<NotFound>()("NotFound", {
  status: 404,
  code: "not_found",
  message: {
    en: "There is no such thing here, or this session may not see it",
    "pt-BR": "Não há nada aqui, ou esta sessão não pode ver."
  }
}) {}

/** A body over the limit of `RequestLimitsLayer`. */
export class PayloadTooLarge extends ApiError<PayloadTooLarge>()("PayloadTooLarge", {
  status: 413,
  code: "payload_too_large",
  message: {
    en: "The body is too large: send less of it at a time",
    "pt-BR": "Conteúdo demais: envie menos por vez."
  }
}) {}

/** A body of a type that the route does not take; one that takes more than JSON names what it takes. */
export class UnsupportedMediaType extends ApiError<UnsupportedMediaType>()("UnsupportedMediaType", {
  status: 415,
  code: "unsupported_media_type",
  message: {
    en: "Send the body as JSON, with Content-Type: application/json",
    "pt-BR": "O tipo do conteúdo não é o esperado: envie JSON."
  }
}) {}

/** Fields, parameters or headers have the wrong shape; the message names up to ten, in English. */
export class ValidationFailed extends ApiError<ValidationFailed>()("ValidationFailed", {
  status: 422,
  code: "validation_failed",
  message: {
    en: "A field is missing, unknown or not what it must be: the message names each",
    "pt-BR": "Há um campo ausente, desconhecido ou inválido."
  },
  saysTooLittle: true
}) {}

/** A defect. Only the log has its cause. */
export class InternalError extends ApiError<InternalError>()("InternalError", {
  status: 500,
  code: "internal_error",
  message: {
    en: "Something went wrong in the service: try again, and report the X-Request-Id if it happens again",
    "pt-BR": "Algo deu errado no serviço: tente de novo e, se continuar, informe o número da requisição."
  }
}) {}

/** The service is at its limit for now, not broken; the same request may pass in a moment. */
export class TemporarilyUnavailable extends ApiError<TemporarilyUnavailable>()("TemporarilyUnavailable", {
  status: 503,
  code: "temporarily_unavailable",
  message: {
    en: "The service is busy: try again in a moment",
    "pt-BR": "O serviço está ocupado: tente de novo daqui a pouco."
  }
}) {}

/** The disk has no room for it, or is to keep what room it has. */
export class StorageFull extends ApiError<StorageFull>()("StorageFull", {
  status: 507,
  code: "storage_full",
  message: {
    en: "There is no room for files at the moment: try again later",
    "pt-BR": "Não há espaço para arquivos agora: tente mais tarde."
  }
}) {}

/** The bucket, or the key for it, knows no uploads in parts. */
export class UploadInPartsUnavailable extends ApiError<UploadInPartsUnavailable>()("UploadInPartsUnavailable", {
  status: 501,
  code: "upload_in_parts_unavailable",
  message: {
    en: "The storage takes no uploads in parts: send the file in one request, as it was answered at the beginning",
    "pt-BR": "O armazenamento não recebe arquivos em partes: envie um menor."
  }
}) {}

/** The upload was completed: what is there stays. */
export class UploadCompleted extends ApiError<UploadCompleted>()("UploadCompleted", {
  status: 409,
  code: "upload_completed",
  message: {
    en: "The upload is complete, and nothing replaces it: begin a new one",
    "pt-BR": "Este envio já terminou e não pode ser substituído: comece outro."
  }
}) {}

/** A media record may not be used here: it is unknown, of another club or person, not ready or not an image. */
export class MediaUnknown extends ApiError<MediaUnknown>()("MediaUnknown", {
  status: 422,
  code: "media_unknown",
  message: {
    en: "Media records must be ready and of a kind accepted here",
    "pt-BR": "O arquivo precisa estar pronto e ser de um tipo aceito aqui."
  }
}) {}
