package toolname

import "strings"

// latin has the usual spelling of letters without accents, for letters that tool names in
// European languages have.
var latin = strings.NewReplacer(
	"ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue",
	"à", "a", "á", "a", "â", "a", "ã", "a", "å", "a", "æ", "ae", "ç", "c", "è", "e", "é", "e", "ê", "e", "ë", "e",
	"ì", "i", "í", "i", "î", "i", "ï", "i", "ñ", "n", "ò", "o", "ó", "o", "ô", "o", "õ", "o", "ø", "o", "œ", "oe",
	"ù", "u", "ú", "u", "û", "u", "ý", "y", "ÿ", "y", "ą", "a", "ć", "c", "č", "c", "ď", "d", "ę", "e", "ě", "e",
	"ğ", "g", "ı", "i", "ł", "l", "ń", "n", "ň", "n", "ő", "o", "ř", "r", "ś", "s", "š", "s", "ş", "s", "ť", "t",
	"ů", "u", "ű", "u", "ź", "z", "ż", "z", "ž", "z",
	"À", "A", "Á", "A", "Â", "A", "Ã", "A", "Å", "A", "Æ", "Ae", "Ç", "C", "È", "E", "É", "E", "Ê", "E", "Í", "I",
	"Ñ", "N", "Ó", "O", "Ô", "O", "Õ", "O", "Ø", "O", "Ú", "U", "Č", "C", "Ł", "L", "Ř", "R", "Ś", "S", "Š", "S", "Ş", "S", "Ž", "Z",
	"–", "-", "—", "-", "’", "", "‘", "",
)

// Latin spells a name in ASCII. It is not ok if the name has letters for which it knows no
// spelling: without them, the name would say something else.
func Latin(name string) (spelled string, ok bool) {
	spelled = latin.Replace(name)
	return spelled, !strings.ContainsFunc(spelled, func(c rune) bool { return c > 0x7f })
}
