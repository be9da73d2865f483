// Kinds and fields of syntax nodes that rules ask for; all others are kOther and kNone.
#pragma once

#include <cstdint>

namespace godwit::syntax {

enum class Kind : std::uint8_t {
  kOther, kError, kMissing, kModule,
  kImportStatement, kImportFromStatement, kFutureImport, kDottedName, kAliasedImport, kRelativeImport, kWildcardImport,
  kClassDefinition, kFunctionDefinition, kDecoratedDefinition, kDecorator, kLambda, kBlock,
  kParameters, kDefaultParameter, kTypedParameter, kTypedDefaultParameter, kListSplat, kDictSplat,
  kExpressionStatement, kAssignment, kAugmentedAssignment, kNamedExpression, kDelete, kGlobal, kNonlocal,
  kIf, kElif, kElse, kFor, kWhile, kTry, kExcept, kFinally, kWith, kWithItem, kReturn, kRaise, kAssert, kPass,
  kCall, kArgumentList, kKeywordArgument, kAttribute, kSubscript, kSlice, kIdentifier,
  kString, kStringStart, kStringContent, kStringEnd, kInterpolation, kConcatenatedString,
  kInteger, kFloat, kTrue, kFalse, kNone, kComment,
  kBinaryOperator, kBooleanOperator, kNotOperator, kUnaryOperator, kComparisonOperator, kConditionalExpression,
  kList, kTuple, kSet, kDictionary, kPair, kPatternList, kTuplePattern, kParenthesized,
  kListComprehension, kSetComprehension, kDictComprehension, kGeneratorExpression, kForInClause,
  kAwait, kYield, kType, kPrintStatement, kExecStatement,
  kAsPattern, kAsPatternTarget, kExpressionList, kIfClause, kMatch, kCaseClause, kCasePattern,
  kWithClause, kTypeParameter, kTypeAlias, kKeywordPattern, kKeywordSeparator,
  kPositionalSeparator,
};

enum class Field : std::uint8_t {
  kNone, kName, kAlias, kModuleName, kFunction, kArguments, kObject, kAttribute, kValue, kSubscript, kLeft, kRight,
  kBody, kCondition, kConsequence, kAlternative, kSuperclasses, kParameters, kReturnType, kType, kKey, kDefinition,
  kOperator, kOperators, kArgument,
};

}  // namespace godwit::syntax
