import { ApiError } from "../../http/ApiError.ts"

/** The address does not come from this service, is over, or is for something else: one answer for all. */
export class UrlInvalid extends ApiError<UrlInvalid>()("UrlInvalid", {
  status: 403,
  code: "url_invalid",
  message: {
    en: "The address is invalid or has expired: ask for a new one",
    "pt-BR": "O endereço é inválido ou expirou: peça outro."
  }
}) {}

/** Another `Content-Type` than the address allows. */
class UploadTypeWrong extends ApiError<UploadTypeWrong>()("UploadTypeWrong", {
  status: 415,
  code: "unsupported_media_type",
  message: {
    en: "Content-Type must be the type that the upload was announced with",
    "pt-BR": "O tipo do arquivo não é o anunciado."
  }
}) {}

/** The refusal, which names the type that is wanted. */
export const uploadTypeWrong = (mime: string) =>
  new UploadTypeWrong({
    error: { message: `Content-Type must be the type that the upload was announced with: ${mime}` }
  })

/** Another number of bytes than the address allows. */
export class UploadSizeWrong extends ApiError<UploadSizeWrong>()("UploadSizeWrong", {
  status: 422,
  code: "upload_size_wrong",
  message: {
    en: "Content-Length must be as many bytes as the upload was announced with",
    "pt-BR": "O arquivo não tem o tamanho anunciado: comece outro envio."
  }
}) {}

/** Not one byte of the file is in the range that was asked for. */
export class RangeNotSatisfiable extends ApiError<RangeNotSatisfiable>()("RangeNotSatisfiable", {
  status: 416,
  code: "range_not_satisfiable",
  message: {
    en: "Range must name bytes that the file has",
    "pt-BR": "O arquivo não tem o trecho pedido."
  }
}) {}

/** Somebody is sending the same upload. */
export class UploadInProgress extends ApiError<UploadInProgress>()("UploadInProgress", {
  status: 409,
  code: "upload_in_progress",
  message: {
    en: "The same upload is under way: wait until it has ended",
    "pt-BR": "O mesmo envio está em andamento: espere terminar."
  }
}) {}

/** Slower than `UploadPace` allows. */
export class UploadTooSlow extends ApiError<UploadTooSlow>()("UploadTooSlow", {
  status: 408,
  code: "request_timeout",
  message: {
    en: "The upload came too slowly: send it again",
    "pt-BR": "O envio está lento demais: envie de novo."
  }
}) {}
