import { later } from "./Taught.ts"

// Written after the choice of the thresholds, to find faults that the other questions miss. They use other words than
// the material, or ask off the topic with words of the course.

/** About the guitar. */
export const laterGuitarQuestions = later([
  ["Professor, meus dedos doem muito, isso é normal?", "postura", "é normal nas primeiras semanas"],
  ["o violão fica apoiado em qual perna?", "postura", "perna direita"],
  ["afinador de clipe funciona em lugar barulhento?", "afinacao", "salas barulhentas"],
  ["Posso deixar o violão no carro?", "afinacao", "dentro de um carro"],
  ["o que é dedo-guia?", "acordes", "dedo-guia"],
  ["Como saber se a nota está abafada?", "acordes", "alguma nota está abafada"],
  ["quando posso aumentar a velocidade do metrônomo?", "ritmo", "aumente cinco batidas"],
  ["O que indica o número sete na cifra?", "cifra", "número sete indica"],
  ["qual a diferença entre nailon e aço?", "cordas", "náilon são mais macias"],
  ["O mindinho é usado no dedilhado?", "dedilhado", "o mindinho não é usado"],
  ["Qual é o arpejo mais simples?", "dedilhado", "p, i, m, a"],
  ["que acorde com pestana aparece primeiro?", "pestana", "primeiro acorde com pestana"],
  ["Quem compôs a primeira canção com acordes de violão?"],
  ["Quantas cordas tem um cavaquinho?"],
  ["Qual a velocidade de um carro de corrida?"],
  ["Como aliviar dor no ombro com remédio?"],
  ["Posso tocar violão grávida?"],
  ["Qual é a melhor marca de cordas de aço?"],
  ["O curso tem certificado de violão clássico?"],
  ["como gravar um samba no computador?"],
  ["Onde fica a escola de samba mais antiga?"],
  ["Como aprender a escala de vendas?"]
])

/** About photography. */
export const laterPhotographyQuestions = later([
  ["Does f/1.8 let in more light than f/16?", "aperture", "At f/1.8"],
  ["Why do portrait photographers like a shallow depth of field?", "aperture", "separates the person"],
  ["How slow should the shutter be for panning?", "shutter", "Panning means following"],
  ["Can I use ISO 1600 at a concert?", "iso", "ISO 1600"],
  ["when should i raise the iso", "iso", "Raise it only after"],
  ["Why leave space in front of a moving subject?", "composition", "Leave space"],
  ["What do leading lines do?", "composition", "Leading lines"],
  ["Is a prime lens lighter than a zoom?", "lenses", "prime lens has one fixed"],
  ["Why are people sick under fluorescent tubes?", "whitebalance", "fluorescent tubes"],
  ["Do JPEG files keep the colour information?", "whitebalance", "JPEG files"],
  ["Do I need a spare battery on cold nights?", "night", "spare battery"],
  ["How do I soften shadows with a window?", "flash", "cheapest softbox"],
  ["What is the focal length of the Hubble telescope?"],
  ["How do I fix a broken camera lens?"],
  ["Who took the first colour picture of a person?"],
  ["How much light do plants need?"],
  ["Which camera has the best sensor under 500 dollars?"],
  ["Is white bread bad for children?"],
  ["How fast can a bird fly at night?"],
  ["Can I print my pictures on glass?"],
  ["How do I blur a face in a video?"],
  ["What does the moon rule in astrology?"]
])
